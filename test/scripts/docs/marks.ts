/** Every text of every mark, found without any knowledge of OpenAPI. */
export function textsOfMarks(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    ['x-open', 'x-inferred', 'x-conflict'].includes(key)
      ? [value]
          .flat()
          .map((point: string | { text: string }) => (typeof point === 'string' ? point : point.text).trim())
      : textsOfMarks(value),
  );
}

/** Every description that a reader sees. */
export function descriptions(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'description' && typeof value === 'string' ? [value] : descriptions(value),
  );
}
