/** Parses JSON, or returns the string itself. */
export function parseOrString(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
