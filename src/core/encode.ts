import type { Encoding } from './operation.ts';

/** A value of the wrong kind. The message continues a sentence that names the field. */
export class NotEncodable extends TypeError {}

/**
 * Encodes a decoded field for the wire. `null` and `undefined` stay as they are.
 *
 * @throws {@link NotEncodable} for content that is neither text nor bytes, and `TypeError` for what JSON cannot hold
 */
export function encodeField(value: unknown, encoding: Encoding | undefined): unknown {
  if (!encoding || value === undefined || value === null) return value;
  if (encoding === 'json') return writeJson(value);
  if (encoding === 'base64') return toBase64(value);
  if (kindOf(value) !== 'Object') throw new NotEncodable('must be a map of file name to content');
  return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, toBase64(content)]));
}

/**
 * Writes JSON.
 *
 * @throws `TypeError` for what JSON cannot hold; also for `NaN` and `Infinity`, which it would turn into `null`, and for
 * bytes, a `Blob`, a promise or a `Map`, of which it would write `{}` or numbered fields
 */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value);
  // A second pass is slow, and few bodies contain these.
  if (/null|\{\}|\{"0"|"Buffer"/.test(text)) JSON.stringify(value, refuseLost);
  return text;
}

/** Refuses a number that becomes `null`, and an object whose content is not in its fields. */
function refuseLost(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const given = this[name];
  const isNumber = typeof value === 'number';
  const kind = isNumber ? value : kindOf(given);
  const isLost = isNumber
    ? !Number.isFinite(value)
    : ArrayBuffer.isView(given) || (kind !== 'Object' && JSON.stringify(value) === '{}');
  if (isLost) throw new NotEncodable(`cannot contain ${kind}`);
  return value;
}

/** The name of a built-in type, also of another realm, such as a frame or a Jest sandbox, of which `instanceof` says no. */
function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return kindOf(value).endsWith('ArrayBuffer');
}

/** Why a value cannot be written. */
export function problemOf(cause: unknown): string {
  return cause instanceof NotEncodable ? cause.message : 'cannot be written as JSON';
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
  else throw new NotEncodable('must be text or bytes');
  let binary = '';
  for (let start = 0; start < bytes.length; start += chunk) {
    binary += String.fromCharCode(...bytes.subarray(start, start + chunk));
  }
  return btoa(binary);
}
