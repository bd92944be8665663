import { isRecord } from './envelope.ts';
import type { Encoding } from './operation.ts';
import { NotEncodable, writeJson } from './write-json.ts';

/**
 * Encodes a decoded field for the wire. `null` and `undefined` stay as they are.
 *
 * @throws {@link NotEncodable} for content that is neither text nor bytes, and `TypeError` for what JSON cannot hold
 */
export function encodeField(value: unknown, encoding: Encoding): unknown {
  if (value === undefined || value === null) return value;
  if (encoding === 'json') return writeJson(value);
  if (encoding === 'base64') return toBase64(value);
  if (!isRecord(value) || ArrayBuffer.isView(value) || isArrayBuffer(value))
    throw new NotEncodable('must be a map of file name to content');
  return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, toBase64(content)]));
}

/** Also one of another realm, such as a frame or a Jest sandbox, of which `instanceof` says no. */
function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));
}

/** More arguments than this overflow the stack of `String.fromCharCode`. */
const chunk = 0x8000;

/**
 * Base64 of bytes, or of text in UTF-8, on every runtime and of any size.
 *
 * @throws {@link NotEncodable} for anything else, such as a `Blob` or a promise
 */
export function toBase64(content: unknown): string {
  let bytes: Uint8Array;
  if (typeof content === 'string') bytes = new TextEncoder().encode(content);
  else if (ArrayBuffer.isView(content)) bytes = new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
  else if (isArrayBuffer(content)) bytes = new Uint8Array(content);
  else throw new NotEncodable('must be text or bytes: a string, an ArrayBuffer or a Uint8Array');
  let binary = '';
  for (let start = 0; start < bytes.length; start += chunk) {
    binary += String.fromCharCode(...bytes.subarray(start, start + chunk));
  }
  return btoa(binary);
}
