import { type Method, methods } from '../catalogue/methods.ts';

/** Converts a name for the command line, such as `failReasons` to `fail-reasons` and `message_type` to `message-type`. */
export function kebab(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

/** Returns the method named by the first words of a command line. */
export function methodOf(words: readonly string[]): Method | undefined {
  return methods.find((method) => method.words.every((word, at) => kebab(word) === words[at]));
}

/** Returns the command that calls a method, such as `carillon crm fail-reasons list`. */
export function commandLine(words: readonly string[]): string {
  return ['carillon', ...words.map(kebab)].join(' ');
}
