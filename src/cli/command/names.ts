const known = new Map<string, string>();

/** Converts a name for the command line: `failReasons` → `fail-reasons`, `message_type` → `message-type`. */
export function kebab(name: string): string {
  // Files of rows need the same names for every row.
  const before = known.get(name);
  if (before !== undefined) return before;
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
  known.set(name, words);
  return words;
}

/** Returns the command that calls a method, such as `carillon crm fail-reasons list`. */
export function commandLine(words: readonly string[]): string {
  return ['carillon', ...words.map(kebab)].join(' ');
}
