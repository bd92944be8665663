import type { IncomingMessage } from 'node:http';
import type { ServerRequest } from './handler.ts';

/** The body is larger than the server accepts. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';

  constructor(maxBodySize: number) {
    super(`The request body is larger than ${maxBodySize} bytes.`);
  }
}

const noBytes = Buffer.alloc(0);

/** Reads the whole body. If it is too large, rejects with {@link BodyTooLarge} at once and does not read the rest of the body. */
export function readBody(request: IncomingMessage, maxBodySize: number): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (length === undefined && encoding === undefined) return Promise.resolve(noBytes);
  if (Number(length) > maxBodySize) return Promise.reject(new BodyTooLarge(maxBodySize));
  // Use events: most bodies are a single chunk, for which an iterator takes twice as long.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request
      .on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= maxBodySize) chunks.push(chunk);
        else {
          request.pause();
          reject(new BodyTooLarge(maxBodySize));
        }
      })
      .on('end', () => resolve(Buffer.concat(chunks)))
      .on('error', reject)
      .on('close', () => reject(new Error('The request ended before its body was complete')));
  });
}

/**
 * The URL of a request. The path is kept as sent: `//users` is a path, not a host. The host is a placeholder because
 * handlers use only the path; the real host is in the Host header.
 */
function readUrl({ url: target = '/' }: IncomingMessage): URL {
  if (target.startsWith('/')) return new URL(`http://localhost${target}`);
  // Proxies send the whole URL.
  return URL.canParse(target) ? new URL(target) : new URL(`http://localhost/${target}`);
}

/** A class, because an object with its own getter would have a new hidden class for each request, which is slow. */
export class PlainServerRequest implements ServerRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: ServerRequest['headers'];
  readonly text: string;
  readonly #signal: () => AbortSignal;

  /** @param signal - called on first access, because few handlers need it */
  constructor(request: IncomingMessage, body: Buffer, signal: () => AbortSignal) {
    const { method = 'GET', headers } = request;
    this.method = method;
    this.url = readUrl(request);
    this.headers = {
      get: (name) => headers[name]?.toString() ?? null,
      forEach(act) {
        for (const name of Object.keys(headers)) act(headers[name]?.toString() ?? '', name);
      },
    };
    // Like `fetch`, without a byte order mark.
    this.text = body.toString('utf8').replace(/^\ufeff/, '');
    this.#signal = signal;
  }

  get signal(): AbortSignal {
    return this.#signal();
  }
}

/** Methods that `fetch` forbids in a `Request`. */
const forbiddenMethods = ['CONNECT', 'TRACE', 'TRACK'];
/** Methods whose `Request` cannot have a body. A body sent with them has no meaning (RFC 9110, section 9.3.1). */
const bodilessMethods = ['GET', 'HEAD', ...forbiddenMethods];

export function toWebRequest(message: IncomingMessage, body: Buffer, signal: AbortSignal): Request {
  const { method = 'GET' } = message;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(message.headersDistinct))
    for (const value of values) headers.append(name, value);
  const isForbidden = forbiddenMethods.includes(method);
  const request = new Request(readUrl(message), {
    method: isForbidden ? 'GET' : method,
    headers,
    body: bodilessMethods.includes(method) || body.length === 0 ? null : new Uint8Array(body),
    signal,
  });
  // Restore the real method, so that the handler decides how to treat it.
  return isForbidden ? Object.defineProperty(request, 'method', { value: method }) : request;
}
