import type { Deadline } from './deadline.ts';
import { ConnectionError } from './errors/local-errors.ts';
import type { HookRequest } from './hooks.ts';
import type { Settings } from './settings.ts';

export interface OutgoingRequest {
  url: string;
  method: string;
  headers: Headers;
  body: string | undefined;
}

export interface Answer {
  response: Response;
  /** The body, read within the deadline. */
  text: string;
  /** The token that was sent, so that no message repeats it. */
  secrets: string[];
}

/** One request and its answer, between the hooks. */
export async function exchange(
  { url, method, headers, body }: OutgoingRequest,
  operation: { id: string; key: string; anonymous: boolean },
  attempt: number,
  token: string | undefined,
  { fetch, middleware, showBodies }: Settings,
  deadline: Deadline,
): Promise<Answer> {
  // The token operation carries secrets in its bodies, so hooks never see those.
  const visible = showBodies && !operation.anonymous;
  const shown: HookRequest = {
    operationId: operation.id,
    operation: operation.key,
    url,
    attempt,
    headers,
    ...(visible && body !== undefined && { body }),
  };
  for (const { onRequest } of middleware) await deadline.race(Promise.resolve(onRequest?.(shown)));
  const sent = token === undefined ? headers : new Headers(headers);
  if (token !== undefined) sent.set('Authorization', `Bearer ${token}`);
  const { signal } = deadline;
  // Redirects are answers here: following one would send the body to an address that nobody named.
  const init: RequestInit = { method, headers: sent, signal, redirect: 'manual', ...(body !== undefined && { body }) };

  const started = performance.now();
  let response: Response;
  let text: string;
  try {
    signal.throwIfAborted();
    deadline.sent = 'maybe';
    response = await deadline.race(fetch(url, init));
    deadline.sent = 'yes';
    text = await deadline.race(response.text());
  } catch (error) {
    for (const { onError } of middleware) await deadline.race(Promise.resolve(onError?.(shown, error)));
    if (signal.aborted) throw signal.reason;
    throw connectionError(error, deadline);
  }
  if (middleware.length > 0) {
    const duration = performance.now() - started;
    const seen = { status: response.status, headers: response.headers, duration, ...(visible && { body: text }) };
    for (const { onResponse } of middleware) await deadline.race(Promise.resolve(onResponse?.(shown, seen)));
  }
  return { response, text, secrets: token === undefined ? [] : [token] };
}

function connectionError(cause: unknown, deadline: Deadline): ConnectionError {
  if (deadline.sent === 'yes') return new ConnectionError('The answer was cut off', 'maybe', { cause });
  if (neverLeft(cause)) return new ConnectionError('No connection could be made', 'no', { cause });
  return new ConnectionError('The connection was lost before an answer came', 'maybe', { cause });
}

/** Codes of Node's resolver and sockets, undici and Bun for failures that come before a request can leave. */
const connectCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
]);

/** Whether the request certainly never left, by the codes in the chain of causes. */
export function neverLeft(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if ('code' in current && typeof current.code === 'string' && connectCodes.has(current.code)) return true;
    current = current.cause;
  }
  return false;
}
