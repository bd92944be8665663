import { MIMEType } from 'node:util';
import type { IHttpRequest } from '@stoplight/prism-http';
import type { PrismOperation } from './prism-operations.ts';

/** Thrown if the body is declared as JSON but is not valid JSON. */
export class MalformedJsonError extends Error {
  override readonly name = 'MalformedJsonError';
}

/** Thrown if the Content-Type header is not a valid media type, which would make Prism throw. */
export class InvalidMediaTypeError extends Error {
  override readonly name = 'InvalidMediaTypeError';
}

/** Converts a Request to the input of Prism. */
export async function readInput(request: Request, operation: PrismOperation, path: string): Promise<IHttpRequest> {
  // Drop bodies of GET and DELETE requests if the spec has none: Prism would return 415.
  const text = operation.request?.body ? await request.text() : '';
  const body = text === '' ? undefined : parseBody(text, request.headers.get('content-type'));
  return {
    method: operation.method,
    url: { path, query: readQuery(new URL(request.url).searchParams) },
    headers: readHeaders(request.headers, Buffer.byteLength(text)),
    ...(body !== undefined && { body }),
  };
}

function readHeaders(sent: Headers, bodyLength: number): Record<string, string> {
  const headers = new Map(sent);
  // Only JSON replies are documented, so ignore the client's Accept header.
  headers.delete('accept');
  // Prism checks the media type only if there is a content length, which a chunked body does not have.
  if (bodyLength > 0) {
    headers.set('content-length', String(bodyLength));
  } else {
    headers.delete('content-length');
    headers.delete('content-type');
  }
  // Prism accepts the scheme only in this spelling; in RFC 9110 §11.1 it is case-insensitive.
  const authorization = headers.get('authorization')?.replace(/^bearer /i, 'Bearer ');
  if (authorization !== undefined) headers.set('authorization', authorization);
  return Object.fromEntries(headers);
}

function parseBody(text: string, contentType: string | null): unknown {
  if (contentType !== null && !isJson(contentType)) return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MalformedJsonError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function isJson(contentType: string): boolean {
  try {
    const { essence } = new MIMEType(contentType);
    return essence === 'application/json' || essence.endsWith('+json');
  } catch (error) {
    throw new InvalidMediaTypeError(`'${contentType}' is not a media type`, { cause: error });
  }
}

function readQuery(search: URLSearchParams): Record<string, string | string[]> {
  const entries = [...new Set(search.keys())].map((name): [string, string | string[]] => {
    const values = search.getAll(name);
    return [name, values.length === 1 ? (values[0] ?? '') : values];
  });
  return Object.fromEntries(entries);
}
