/** Decodes Base64. Returns `undefined` if the text is not Base64. */
export function decodeBase64(encoded: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Total size of texts in UTF-8, in bytes. */
export function byteLength(texts: readonly string[]): number {
  const encoder = new TextEncoder();
  return texts.reduce((sum, text) => sum + encoder.encode(text).length, 0);
}
