const decoder = /* @__PURE__ */ new TextDecoder();

/**
 * Reads a body as text, and no more than a limit: the length that a reply states is not the length of its content.
 *
 * @param limit - bytes, after decompression
 * @returns `undefined` if it is longer; the rest is not received
 */
export async function readBody(response: Response, limit: number): Promise<string | undefined> {
  // No body; or a custom `fetch` whose bodies are not streams.
  const reader = response.body?.getReader?.();
  if (!reader) {
    const text = await response.text();
    return text.length > limit ? undefined : text;
  }
  // Most bodies are one chunk. The chunks of others are copied into one buffer: to keep each would cost a hundred bytes for a
  // byte of a hostile peer.
  let bytes: Uint8Array | undefined;
  let size = 0;
  for (;;) {
    const { value } = await reader.read();
    if (!value) return decoder.decode(bytes?.subarray(0, size));
    const start = size;
    size += value.length;
    if (size > limit) {
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    if (!bytes) {
      bytes = value;
      continue;
    }
    if (size > bytes.length) {
      const old = bytes;
      bytes = new Uint8Array(2 * size);
      bytes.set(old);
    }
    bytes.set(value, start);
  }
}
