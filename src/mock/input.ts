import { MIMEType } from 'node:util';
import type { IHttpRequest } from '@stoplight/prism-http';
import { messageOf } from '../shared/message-of.ts';
import { isDeeperThan } from '../shared/nesting.ts';
import type { PrismOperation } from './operation.ts';

/** Thrown if a body declared as JSON is invalid or too deeply nested. */
export class MalformedJsonError extends Error {
  override readonly name = 'MalformedJsonError';
}

/**
 * Thrown if a body is not declared as plain JSON. Prism does not check the media type of optional bodies, and does not
 * decompress bodies.
 */
export class InvalidMediaTypeError extends Error {
  override readonly name = 'InvalidMediaTypeError';
  /** Name of the header with the invalid declaration. */
  readonly header: string;

  constructor(header: string, message: string) {
    super(message);
    this.header = header;
  }
}

/** Converts a `Request` to Prism's input. */
export async function readInput(request: Request, operation: PrismOperation, path: string): Promise<IHttpRequest> {
  // Drop the body of a GET or DELETE request if the spec declares none, because Prism would return 415.
  const text = operation.request?.body ? await request.text() : '';
  const body = text === '' ? undefined : parseBody(text, request.headers, operation);
  return {
    method: operation.method,
    url: { path, query: readQuery(new URL(request.url).searchParams) },
    headers: readHeaders(request.headers, Buffer.byteLength(text)),
    ...(body !== undefined && { body }),
  };
}

function readHeaders(sent: Headers, bodyLength: number): Record<string, string> {
  const headers = new Map(sent);
  // Only JSON responses are documented, so ignore the client's Accept header.
  headers.delete('accept');
  // Prism checks the media type only if there is a content length, which chunked bodies lack.
  if (bodyLength > 0) {
    headers.set('content-length', String(bodyLength));
  } else {
    headers.delete('content-length');
    headers.delete('content-type');
  }
  // Prism accepts only this spelling of the scheme, although RFC 9110 §11.1 makes it case-insensitive.
  const authorization = headers.get('authorization')?.replace(/^bearer /i, 'Bearer ');
  if (authorization !== undefined) headers.set('authorization', authorization);
  return Object.fromEntries(headers);
}

/** Maximum nesting of arrays and objects in a body. */
const maxNesting = 100;

function parseBody(text: string, headers: Headers, operation: PrismOperation): unknown {
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    const message = `The mock does not accept bodies with Content-Encoding: ${encoding.slice(0, 100)}. Send the body uncompressed.`;
    throw new InvalidMediaTypeError('Content-Encoding', message);
  }
  const type = headers.get('content-type');
  if (type !== null && !isJson(type)) {
    throw new InvalidMediaTypeError(
      'Content-Type',
      `The operation accepts application/json, not ${type.slice(0, 100)}`,
    );
  }
  const body = readJson(text);
  if (isDeeperThan(body, maxNesting)) {
    throw new MalformedJsonError(`The body nests arrays and objects more than ${maxNesting} levels deep.`);
  }
  return trimmed(body, describedNames(operation));
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = messageOf(error);
    throw new MalformedJsonError(`The body is not JSON: ${reason}`, { cause: error });
  }
}

/** Maximum number of items in a list or map that Prism checks, higher than any documented limit. */
const maxEntries = 2_000;

/**
 * Shortens long lists and maps. The response does not depend on them, and Prism takes many seconds to report a million invalid
 * items. Keeps fields that the spec describes.
 */
function trimmed(value: unknown, described: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.slice(0, maxEntries).map((item) => trimmed(item, described));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name], index) => index < maxEntries || described.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, trimmed(inner, described)]));
}

const namesOf = new WeakMap<PrismOperation, ReadonlySet<string>>();

/** Names of all fields in an operation's body, at any depth. */
function describedNames(operation: PrismOperation): ReadonlySet<string> {
  const known = namesOf.get(operation);
  if (known) return known;
  const names = new Set<string>();
  collectNames(operation.request?.body, names, new Set());
  namesOf.set(operation, names);
  return names;
}

function collectNames(schema: unknown, names: Set<string>, visited: Set<object>): void {
  if (typeof schema !== 'object' || schema === null || visited.has(schema)) return;
  visited.add(schema);
  if ('properties' in schema && typeof schema.properties === 'object')
    for (const name of Object.keys(schema.properties ?? {})) names.add(name);
  for (const inner of Object.values(schema)) collectNames(inner, names, visited);
}

function isJson(contentType: string): boolean {
  try {
    const { essence } = new MIMEType(contentType);
    return essence === 'application/json' || essence.endsWith('+json');
  } catch {
    throw new InvalidMediaTypeError('Content-Type', `'${contentType.slice(0, 100)}' is not a media type`);
  }
}

function readQuery(search: URLSearchParams): Record<string, string | string[]> {
  const entries = [...new Set(search.keys())].map((name): [string, string | string[]] => {
    const values = search.getAll(name);
    return [name, values.length === 1 ? (values[0] ?? '') : values];
  });
  return Object.fromEntries(entries);
}
