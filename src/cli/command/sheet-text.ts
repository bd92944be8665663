/** A string that a spreadsheet would calculate, after any apostrophes. Numbers and phones stay as they are. */
const formula = /^'*(?:[=@\t\r]|[+-](?![\d\s().-]*$))/;

/**
 * Puts an apostrophe before a string that a spreadsheet would calculate, and before one that begins with apostrophes and looks
 * like that, so that no two strings become the same.
 */
export function guard(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** Removes the apostrophe of `guard`. */
export function unguard(text: string): string {
  return isGuarded(text) ? text.slice(1) : text;
}

/** Whether a string looks like the result of `guard`. */
export function isGuarded(text: string): boolean {
  return text.startsWith("'") && formula.test(text);
}
