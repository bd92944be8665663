const kinds = ['x-open', 'x-inferred', 'x-conflict'] as const;

/** All gaps of a spec, or those of the given kinds, found without knowledge of OpenAPI. */
export function gapTextsIn(node: unknown, only: readonly string[] = kinds): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    only.includes(key)
      ? [value].flat().map((gap: string | { text: string }) => (typeof gap === 'string' ? gap : gap.text).trim())
      : gapTextsIn(value, only),
  );
}

/** Every description that a reader sees. */
export function descriptions(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'description' && typeof value === 'string' ? [value] : descriptions(value),
  );
}
