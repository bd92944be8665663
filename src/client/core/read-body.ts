const decoder = /* @__PURE__ */ new TextDecoder();

export interface ReadBody {
  text: string;
  /** Bytes received, after decompression. */
  size: number;
  /** The connection ended before the length that the reply states. `fetch` does not always reject then. */
  isCut: boolean;
}

/**
 * Reads a body as text, and no more than a limit: the length that a reply states is not the length of its content.
 *
 * @param limit - bytes, after decompression
 * @returns `undefined` if it is longer; the rest is not received
 */
export async function readBody(response: Response, limit: number): Promise<ReadBody | undefined> {
  // No body; or a custom `fetch` whose bodies are not streams.
  const reader = response.body?.getReader?.();
  if (!reader) {
    const text = await response.text();
    if (text.length > limit) return undefined;
    // The number of bytes is known of an empty text alone.
    return { text, size: text.length, isCut: text === '' && statedLength(response) > 0 };
  }
  // Most bodies are one chunk. The chunks of others are copied into one buffer: to keep each would cost a hundred bytes for a
  // byte of a hostile peer.
  let bytes: Uint8Array | undefined;
  let size = 0;
  for (;;) {
    const { value } = await reader.read();
    if (!value) {
      const text = decoder.decode(bytes?.subarray(0, size));
      return { text, size, isCut: !endsWithBracket(text) && size < statedLength(response) };
    }
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

/** Whether a text can be a whole record or list. Most are, and reading headers is slow. */
function endsWithBracket(text: string): boolean {
  const last = text.at(-1);
  return last === '}' || last === ']';
}

/** `Content-Length` in bytes of the content; 0 if it is not known, as for a compressed body, whose length is another one. */
function statedLength({ status, headers }: Response): number {
  if (status === 204 || status === 304 || headers.get('content-encoding') !== null) return 0;
  const stated = headers.get('content-length');
  return stated !== null && /^\d+$/.test(stated) ? Number(stated) : 0;
}
