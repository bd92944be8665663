import { MIMEType } from 'node:util';
import type { IHttpRequest } from '@stoplight/prism-http';
import type { PrismOperation } from './prism-operations.ts';

/** The body claims to be JSON and is not. */
export class MalformedJsonError extends Error {
  override readonly name = 'MalformedJsonError';
}

/** The Content-Type header is no media type; Prism would throw on it. */
export class InvalidMediaTypeError extends Error {
  override readonly name = 'InvalidMediaTypeError';
}

/** Writes a Request as the input that Prism takes. */
export async function readInput(request: Request, operation: PrismOperation, path: string): Promise<IHttpRequest> {
  // Clients send bodies with GET and DELETE, which Prism would refuse with 415 where the spec has none.
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
  // Every reply is JSON, and the documents know no other: a client's Accept decides nothing.
  headers.delete('accept');
  // Prism checks the media type only where a length is given, and a chunked body gives none.
  if (bodyLength > 0) {
    headers.set('content-length', String(bodyLength));
  } else {
    headers.delete('content-length');
    headers.delete('content-type');
  }
  // Prism knows the scheme in this spelling only; RFC 9110 §11.1 has it in any case.
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
