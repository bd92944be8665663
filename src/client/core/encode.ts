import type { BlobLike } from '../../shared/call-types.ts';
import type { Encoding } from '../../shared/operation.ts';
import { BadValue, inside, withArticle } from './bad-value.ts';
import { builtInKind, kindOf, writeJson } from './write-json.ts';

/**
 * Encodes a field for the wire. Returns `null` and `undefined` unchanged.
 *
 * @param place - path of the field, for errors
 * @returns the encoded value, or an {@link UnreadField} if the content has to be read first
 * @throws {@link BadValue} if the content has the wrong type, or JSON cannot represent the value
 *
 * @internal
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
  // Bytes read from a file, in any character encoding.
  if (ArrayBuffer.isView(value) || isArrayBuffer(value)) return toBase64(bytesOf(value));
  if (typeof value !== 'string') throw new BadValue(place, `must be a string, not ${describe(value)}`);
  if (isEncodedMarkup(value)) throw new BadValue(place, 'is already Base64: pass the HTML itself');
  return toBase64(new TextEncoder().encode(value));
}

/** Whether a string is the Base64 encoding of a string that begins with `<`. */
function isEncodedMarkup(text: string): boolean {
  // HTML usually contains this character, but Base64 never does.
  if (text.includes('<') || !/^[\w+/\r\n-]+=*$/.test(text.trim())) return false;
  const start = text.replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/').slice(0, 64);
  const whole = start.replace(/=+$/, '');
  // A single remaining character does not encode a byte.
  return /^(\u00ef\u00bb\u00bf)?\s*</.test(atob(whole.length % 4 === 1 ? whole.slice(0, -1) : whole));
}

/**
 * A field whose content is read during the call. Until then, JSON represents the field as an empty string.
 *
 * @internal
 */
export abstract class UnreadField {
  /**
   * Reads and encodes the content.
   *
   * @throws {@link BadValue} if the content cannot be read
   */
  abstract read(): Promise<unknown>;

  toJSON(): string {
    return '';
  }
}

class UnreadBlob extends UnreadField {
  readonly #blob: BlobLike;
  readonly #place: string;

  constructor(blob: BlobLike, place: string) {
    super();
    this.#blob = blob;
    this.#place = place;
  }

  async read(): Promise<string> {
    try {
      return toBase64(new Uint8Array(await this.#blob.arrayBuffer()));
    } catch (cause) {
      throw new BadValue(this.#place, 'cannot be read', { cause });
    }
  }
}

class UnreadFiles extends UnreadField {
  readonly #files: readonly [name: string, content: string | UnreadBlob][];

  constructor(files: readonly [name: string, content: string | UnreadBlob][]) {
    super();
    this.#files = files;
  }

  async read(): Promise<Record<string, string>> {
    const read: [string, string][] = [];
    // Read one at a time, to stop at the first error.
    for (const [name, content] of this.#files) {
      read.push([name, typeof content === 'string' ? content : await content.read()]);
    }
    return Object.fromEntries(read);
  }
}

/** Returns bytes as Base64, or an unread `Blob`. */
function encodeContent(content: unknown, place: string): string | UnreadBlob {
  if (ArrayBuffer.isView(content) || isArrayBuffer(content)) return toBase64(bytesOf(content));
  if (isBlobLike(content)) return new UnreadBlob(content, place);
  if (typeof content === 'string') {
    throw new BadValue(
      place,
      'must be bytes, a Blob or a File, not a string: convert a string with new TextEncoder().encode(text)',
    );
  }
  throw new BadValue(place, `must be bytes, a Blob or a File, not ${describe(content)}`);
}

function encodeFiles(value: unknown, place: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || builtInKind(value)) {
    throw new BadValue(place, `must be a map of file names to contents, not ${describe(value)}`);
  }
  const files = Object.entries(value).map(([name, content]): [string, string | UnreadBlob] => [
    name,
    encodeContent(content, inside(place, name)),
  ]);
  return files.some(([, content]) => content instanceof UnreadField)
    ? new UnreadFiles(files)
    : Object.fromEntries(files);
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

/** Describes the type of a value, without the value. */
function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === 'object' ? withArticle(kindOf(value)) : `a ${typeof value}`;
}

/** Maximum number of arguments of `String.fromCharCode`; more arguments overflow the stack. */
const chunk = 0x8000;

/** Node's class. Declared here, because users may not have Node's type declarations. */
interface NodeBuffer {
  from(buffer: ArrayBufferLike, start: number, length: number): { toString(encoding: 'base64'): string };
}

/**
 * Encodes a byte array as Base64. Uses the platform's encoder if there is one. Otherwise, encodes in a loop, which takes ten times as long.
 *
 * @internal
 */
export function toBase64(bytes: Uint8Array & { toBase64?(): string }): string {
  if (bytes.toBase64) return bytes.toBase64();
  const NodeBuffer: NodeBuffer | undefined = Reflect.get(globalThis, 'Buffer');
  if (NodeBuffer) return NodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  let binary = '';
  for (let start = 0; start < bytes.length; start += chunk) {
    binary += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(start, start + chunk));
  }
  return btoa(binary);
}
