const decoder = /* @__PURE__ */ new TextDecoder();

export interface ReadBody {
  text: string;
  /** Bytes received, after decompression. */
  size: number;
  /** Whether the connection ended before the stated length. `fetch` does not always reject in this case. */
  isCut: boolean;
  /** The charset that the reply declares, if it was read as UTF-8 instead. `undefined` if that makes no difference. */
  ignoredCharset?: string | undefined;
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
    const hasBytes = declaredCharset(response) !== undefined && typeof response.arrayBuffer === 'function';
    const decoded = hasBytes
      ? decode(new Uint8Array(await response.arrayBuffer()), response)
      : { text: await response.text() };
    const { length } = decoded.text;
    if (length > limit) return undefined;
    // The number of bytes is known only if the text is empty.
    return { ...decoded, size: length, isCut: length === 0 && statedLength(response) > 0 };
  }
  // Most bodies are one chunk. Copy the chunks of other bodies into one buffer, because keeping each chunk would cost a hundred
  // bytes per byte if a hostile server sends tiny chunks.
  let bytes: Uint8Array | undefined;
  let size = 0;
  for (;;) {
    const { value } = await reader.read();
    if (!value) {
      const decoded = bytes === undefined ? { text: '' } : decode(bytes.subarray(0, size), response);
      return { ...decoded, size, isCut: !endsWithBracket(decoded.text) && size < statedLength(response) };
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

/**
 * Decodes a body. JSON is UTF-8 (RFC 8259, section 8.1), also if a server declares another charset by mistake. The declared charset
 * counts if the bytes are not UTF-8, or contain what no JSON contains: NUL or ESC, of UTF-16 and ISO-2022-JP.
 */
function decode(bytes: Uint8Array, response: Response): Pick<ReadBody, 'text' | 'ignoredCharset'> {
  const text = decoder.decode(bytes);
  const hasControl = text.includes('\0') || text.includes('\u001b');
  // Text of ASCII characters is the same in all other charsets. This avoids reading headers, which is slow, for most replies.
  if (text.length === bytes.length && !hasControl && !text.includes('\ufffd')) return { text };
  const charset = declaredCharset(response);
  if (charset === undefined) return { text };
  const declared = hasControl || !isUtf8(bytes) ? decoderFor(charset) : undefined;
  return declared ? { text: declared.decode(bytes) } : { text, ignoredCharset: charset };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The charset in the content type, unless it is UTF-8. */
function declaredCharset({ headers }: Response): string | undefined {
  const charset = /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(headers.get('content-type') ?? '')?.[1];
  return charset !== undefined && /^utf-?8$/i.test(charset) ? undefined : charset;
}

/** Returns `undefined` if the platform does not know the charset. */
function decoderFor(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
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
