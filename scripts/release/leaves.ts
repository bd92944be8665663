/** The leaf values of data, as JSON, with their paths. */
export function leavesOf(value: unknown, path = ''): [path: string, value: string][] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) return [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, path === '' ? name : `${path}.${name}`));
}
