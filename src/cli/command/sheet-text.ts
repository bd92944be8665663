/**
 * Matches a string that a spreadsheet would treat as a formula, after any apostrophes. Numbers and phone numbers do not
 * match.
 */
const formula = /^'*(?:[=@\t\r]|[+-](?![\d\s().-]*$))/;

/**
 * Puts an apostrophe before a string that a spreadsheet would treat as a formula. A string in which apostrophes precede a
 * formula also gets an apostrophe, so that no two different strings become the same.
 */
export function guard(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** Removes the apostrophe that `guard` adds. */
export function unguard(text: string): string {
  return isGuarded(text) ? text.slice(1) : text;
}

/** Whether a string looks like the result of `guard`. */
export function isGuarded(text: string): boolean {
  return text.startsWith("'") && formula.test(text);
}
