/** Decodes Base64. Returns `undefined` if the text is not Base64. */
export function decodeBase64(encoded: string): Uint8Array | undefined {
  try {
    const decoded = atob(encoded);
    const bytes = new Uint8Array(decoded.length);
    // 30 times as fast as a function for each character.
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = decoded.charCodeAt(index);
    return bytes;
  } catch {
    return undefined;
  }
}

/** Returns the number of bytes that Base64 encodes, or `undefined` if the text is not Base64. */
export function decodedLength(encoded: string): number | undefined {
  try {
    return atob(encoded).length;
  } catch {
    return undefined;
  }
}

const encoder = new TextEncoder();
const scratch = new Uint8Array(64 * 1024);

/** Total size of texts in UTF-8, in bytes. Encodes them in parts, because V8 collects garbage more often for large arrays of bytes. */
export function byteLength(texts: readonly string[]): number {
  let bytes = 0;
  for (const text of texts) {
    for (let place = 0; place < text.length; ) {
      const { read, written } = encoder.encodeInto(text.slice(place), scratch);
      place += read;
      bytes += written;
    }
  }
  return bytes;
}
