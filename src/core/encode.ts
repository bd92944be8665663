import type { Encoding } from './operation.ts';
import { kindOf, NotEncodable, writeJson } from './write-json.ts';

/**
 * Encodes a decoded field for the wire. `null` and `undefined` stay as they are.
 *
 * @throws {@link NotEncodable} for content that is neither text nor bytes, and `TypeError` for what JSON cannot hold
 */
export function encodeField(value: unknown, encoding: Encoding): unknown {
  if (value === undefined || value === null) return value;
  if (encoding === 'json') return writeJson(value);
  if (encoding === 'base64') return toBase64(value);
  if (kindOf(value) !== 'Object') throw new NotEncodable('must be a map of file name to content');
  return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, toBase64(content)]));
}

function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return kindOf(value).endsWith('ArrayBuffer');
}

/** More arguments than this overflow the stack of `String.fromCharCode`. */
const chunk = 0x8000;

/**
 * Base64 of bytes, or of text in UTF-8, on every runtime and of any size.
 *
 * @throws {@link NotEncodable} for anything else, such as a `Blob` or a promise
 */
export function toBase64(content: unknown): string {
  const bytes = bytesOf(content);
  let binary = '';
  for (let start = 0; start < bytes.length; start += chunk) {
    binary += String.fromCharCode(...bytes.subarray(start, start + chunk));
  }
  return btoa(binary);
}

function bytesOf(content: unknown): Uint8Array {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  if (ArrayBuffer.isView(content)) return new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
  if (isArrayBuffer(content)) return new Uint8Array(content);
  throw new NotEncodable('must be text or bytes');
}
