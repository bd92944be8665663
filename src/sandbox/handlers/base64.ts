/** The bytes that Base64 stands for; nothing where it is not Base64. */
export function decodeBase64(encoded: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
