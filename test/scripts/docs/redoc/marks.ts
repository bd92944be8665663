const marks = ['x-open', 'x-inferred', 'x-conflict'] as const;

/** The texts of all marks, or of the given ones, found without knowledge of OpenAPI. */
export function textsOfMarks(node: unknown, only: readonly string[] = marks): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    only.includes(key)
      ? [value]
          .flat()
          .map((point: string | { text: string }) => (typeof point === 'string' ? point : point.text).trim())
      : textsOfMarks(value, only),
  );
}

/** Every description that a reader sees. */
export function descriptions(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'description' && typeof value === 'string' ? [value] : descriptions(value),
  );
}
