import type { Encoding } from '../../shared/operation.ts';
import { BadValue, inside, withArticle } from './bad-value.ts';
import { builtInKind, kindOf, writeJson } from './write-json.ts';

/** A `Blob` or a `File` of any platform. The client reads the content during the call. */
export interface BlobLike {
  /** Number of bytes. */
  readonly size: number;
  /** Resolves to the content. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The content of a file: bytes, or a `Blob` or `File` that the client reads during the call. */
export type FileContent = Uint8Array | ArrayBuffer | BlobLike;

/**
 * Encodes a decoded field for the wire. `null` and `undefined` stay as they are.
 *
 * @param place - where the field is, for errors
 * @returns the encoded value, or a function that reads and encodes it
 * @throws {@link BadValue} for content of another kind, and for what JSON cannot hold
 */
export function encodeField(value: unknown, encoding: Encoding, place: string): unknown {
  if (value === undefined || value === null) return value;
  switch (encoding) {
    case 'json':
      return writeJson(value, place);
    case 'base64Text':
      return encodeText(value, place);
    case 'base64':
      return encodeContent(value, place);
    case 'base64Map':
      return encodeFiles(value, place);
  }
}

function encodeText(value: unknown, place: string): string {
  // A text as it was read from a file, whatever its character encoding is.
  if (ArrayBuffer.isView(value) || isArrayBuffer(value)) return toBase64(bytesOf(value));
  if (typeof value !== 'string') throw new BadValue(place, `must be text, not ${describe(value)}`);
  if (isEncodedMarkup(value)) throw new BadValue(place, 'is already Base64: give the HTML itself');
  return toBase64(new TextEncoder().encode(value));
}

/** Whether a text is Base64 of a text that begins with `<`. */
function isEncodedMarkup(text: string): boolean {
  // Most HTML contains this character; Base64 does not.
  if (text.includes('<') || !/^[\w+/\r\n-]+=*$/.test(text.trim())) return false;
  const start = text.replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/').slice(0, 64);
  const whole = start.replace(/=+$/, '');
  // A rest of one character holds no byte.
  return /^(\u00ef\u00bb\u00bf)?\s*</.test(atob(whole.length % 4 === 1 ? whole.slice(0, -1) : whole));
}

/** Base64 of bytes, or a function that reads and encodes a `Blob`. */
function encodeContent(content: unknown, place: string): string | (() => Promise<string>) {
  if (ArrayBuffer.isView(content) || isArrayBuffer(content)) return toBase64(bytesOf(content));
  if (isBlobLike(content)) return async () => toBase64(new Uint8Array(await readBlob(content, place)));
  if (typeof content === 'string') {
    throw new BadValue(
      place,
      'must be bytes, a Blob or a File, not a string: new TextEncoder().encode(text) makes bytes',
    );
  }
  throw new BadValue(place, `must be bytes, a Blob or a File, not ${describe(content)}`);
}

async function readBlob(blob: BlobLike, place: string): Promise<ArrayBuffer> {
  try {
    return await blob.arrayBuffer();
  } catch (cause) {
    throw new BadValue(place, 'cannot be read', { cause });
  }
}

function encodeFiles(value: unknown, place: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || builtInKind(value)) {
    throw new BadValue(place, `must be a map of file name to content, not ${describe(value)}`);
  }
  const files = Object.entries(value).map(([name, content]): [string, ReturnType<typeof encodeContent>] => [
    name,
    encodeContent(content, inside(place, name)),
  ]);
  if (files.every(([, content]) => typeof content === 'string')) return Object.fromEntries(files);
  return async () => {
    const read: [string, string][] = [];
    // One after the other, so that one error is reported, and no file is read in vain after it.
    for (const [name, content] of files) read.push([name, typeof content === 'string' ? content : await content()]);
    return Object.fromEntries(read);
  };
}

function bytesOf(content: ArrayBufferView | ArrayBuffer): Uint8Array {
  if (!ArrayBuffer.isView(content)) return new Uint8Array(content);
  return new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
}

function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return kindOf(value).endsWith('ArrayBuffer');
}

function isBlobLike(value: unknown): value is BlobLike {
  if (typeof value !== 'object' || value === null) return false;
  return 'arrayBuffer' in value && typeof value.arrayBuffer === 'function' && 'size' in value;
}

/** The kind of a value, never the value. */
function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === 'object' ? withArticle(kindOf(value)) : `a ${typeof value}`;
}

/** More arguments than this overflow the stack of `String.fromCharCode`. */
const chunk = 0x8000;

/** Base64 of bytes, on every runtime and of any size. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += chunk) {
    binary += String.fromCharCode(...bytes.subarray(start, start + chunk));
  }
  return btoa(binary);
}
