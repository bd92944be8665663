const known = new Map<string, string>();

/** `failReasons` and `message_type` as words of a command line: `fail-reasons`, `message-type`. */
export function kebab(name: string): string {
  // Files of rows ask for the same names again and again.
  const before = known.get(name);
  if (before !== undefined) return before;
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
  known.set(name, words);
  return words;
}

/** The command that calls a method: `carillon crm fail-reasons list`. */
export function commandLine(words: readonly string[]): string {
  return ['carillon', ...words.map(kebab)].join(' ');
}
