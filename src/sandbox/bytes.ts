/** The bytes of a Base64 text, or `undefined` if it is not Base64. */
export function decodeBase64(encoded: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** How many bytes texts take in UTF-8. */
export function byteLength(texts: readonly string[]): number {
  const encoder = new TextEncoder();
  return texts.reduce((sum, text) => sum + encoder.encode(text).length, 0);
}
