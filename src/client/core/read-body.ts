const decoder = /* @__PURE__ */ new TextDecoder();

export interface ReadBody {
  text: string;
  /** Bytes received, after decompression. */
  size: number;
  /** Whether the connection ended before the stated length. `fetch` does not always reject in this case. */
  isCut: boolean;
}

/**
 * Reads a body as text, up to a limit. The `Content-Length` of a reply is not reliable for that.
 *
 * @param limit - maximum number of bytes after decompression
 * @returns `undefined` if the body is longer; the rest is not received
 */
export async function readBody(response: Response, limit: number): Promise<ReadBody | undefined> {
  // There is no body, or a custom `fetch` returns bodies that are not streams.
  const reader = response.body?.getReader?.();
  if (!reader) {
    const text = await response.text();
    if (text.length > limit) return undefined;
    // The number of bytes is known only if the text is empty.
    return { text, size: text.length, isCut: text === '' && statedLength(response) > 0 };
  }
  // Most bodies are one chunk. Copy the chunks of other bodies into one buffer, because keeping each chunk would cost a hundred
  // bytes per byte if a hostile server sends tiny chunks.
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

/** Whether a text may be a complete record or list. This avoids reading headers, which is slow, for most replies. */
function endsWithBracket(text: string): boolean {
  const last = text.at(-1);
  return last === '}' || last === ']';
}

/** The `Content-Length`, or 0 if it does not state the length of the content, as for a compressed body. */
function statedLength({ status, headers }: Response): number {
  if (status === 204 || status === 304 || headers.get('content-encoding') !== null) return 0;
  const stated = headers.get('content-length');
  return stated !== null && /^\d+$/.test(stated) ? Number(stated) : 0;
}
