/** Decodes Base64. Returns `undefined` if the string is not Base64. */
export function decodeBase64(encoded: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Size of a string in UTF-8, in bytes. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
