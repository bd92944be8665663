import { isRecord } from './envelope.ts';
import type { Encoding } from './operation.ts';

/**
 * Encodes a decoded field for the wire; a value that is null, not given or not of the kind that is encoded stays as it is.
 *
 * @throws `TypeError` for a value that JSON cannot hold
 */
export function encodeField(value: unknown, encoding: Encoding | undefined): unknown {
  if (!encoding || value === undefined || value === null) return value;
  if (encoding === 'json') return JSON.stringify(value);
  if (isContent(value)) return encoding === 'base64' ? toBase64(value) : value;
  if (encoding === 'base64' || !isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, content]) => [name, isContent(content) ? toBase64(content) : content]),
  );
}

function isContent(value: unknown): value is string | Uint8Array {
  return typeof value === 'string' || value instanceof Uint8Array;
}

/** More arguments than this overflow the stack of `String.fromCharCode`. */
const chunk = 0x8000;

/** Base64 of bytes, or of text in UTF-8, on every runtime and of any size. */
export function toBase64(content: string | Uint8Array): string {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  let binary = '';
  for (let start = 0; start < bytes.length; start += chunk) {
    binary += String.fromCharCode(...bytes.subarray(start, start + chunk));
  }
  return btoa(binary);
}
