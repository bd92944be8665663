/** `failReasons` and `message_type` as words of a command line: `fail-reasons`, `message-type`. */
export function kebab(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

/** The command that calls a method: `carillon crm fail-reasons list`. */
export function commandLine(words: readonly string[]): string {
  return ['carillon', ...words.map(kebab)].join(' ');
}
