/** Path below `generated/` → content. */
export type Output = Map<string, string>;
