/** Parses a string as JSON. Returns the string unchanged if it is not JSON. */
export function parseOrString(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
