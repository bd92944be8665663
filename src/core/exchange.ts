import type { Deadline } from './deadline.ts';
import { ConnectionError } from './errors/local-errors.ts';
import type { HookRequest } from './hooks.ts';
import type { CalledOperation } from './operation.ts';
import type { Settings } from './settings.ts';

/** By names in lower case. A call with `Headers` would take 3 % longer. */
export type HeaderRecord = Record<string, string>;

export interface OutgoingRequest {
  url: string;
  method: string;
  headers: HeaderRecord;
  body: string | undefined;
}

export interface Answer {
  response: Response;
  /** The body, read within the deadline. */
  text: string;
  /** What was sent and no message may repeat: the credential, and every longer text of the body. */
  secrets(): string[];
}

/**
 * One request and its answer, between the hooks. No answer is a result here, since the request may be sent again; what a
 * hook throws is not.
 */
export async function exchange(
  { url, method, headers, body }: OutgoingRequest,
  operation: CalledOperation,
  attempt: number,
  token: string | undefined,
  { fetch, middleware, showBodies }: Settings,
  deadline: Deadline,
): Promise<Answer | ConnectionError> {
  // The token operation carries secrets in its bodies, so hooks never see those.
  const visible = showBodies && !operation.anonymous;
  const { authorization, ...others } = headers;
  const credential = token === undefined ? authorization : `Bearer ${token}`;
  const hooked = middleware.length > 0;
  // Each try has its own: what a hook appends to one does not pile up in the next.
  const own = new Headers(hooked ? others : undefined);
  const shown: HookRequest = {
    operationId: operation.id,
    operation: operation.key,
    url,
    attempt,
    headers: own,
    ...(visible && body !== undefined && { body }),
  };
  for (const hook of middleware) await deadline.race(Promise.resolve(hook.onRequest?.(shown)));
  const sent: HeaderRecord = hooked ? Object.fromEntries(own) : others;
  if (credential !== undefined) sent.authorization = credential;
  // Redirects are answers here: following one would send the body to an address that nobody named.
  const init: RequestInit = { method, headers: sent, signal: deadline.signal, redirect: 'manual', body };

  const started = performance.now();
  let response: Response;
  let text: string;
  try {
    deadline.sent = 'maybe';
    response = await deadline.race(fetch(url, init));
    deadline.sent = 'yes';
    text = await deadline.race(response.text());
  } catch (error) {
    // All at once: after an abort nobody waits for the first, and the others are told all the same.
    await deadline.race(Promise.all(middleware.map(async (hook) => hook.onError?.(shown, error))));
    return connectionError(error, deadline);
  }
  if (hooked) {
    const duration = performance.now() - started;
    const seen = { status: response.status, headers: response.headers, duration, ...(visible && { body: text }) };
    for (const hook of middleware) await deadline.race(Promise.resolve(hook.onResponse?.(shown, seen)));
  }
  return {
    response,
    text,
    // Found out only where a message is made.
    secrets() {
      const secrets = [credential?.split(' ').pop() ?? ''];
      JSON.parse(body ?? 'null', (_, value) => typeof value === 'string' && value.length > 7 && secrets.push(value));
      return secrets;
    },
  };
}

function connectionError(cause: unknown, deadline: Deadline): ConnectionError {
  if (deadline.sent === 'yes') return new ConnectionError('The answer was cut off', 'maybe', { cause });
  if (neverLeft(cause)) return new ConnectionError('No connection could be made', 'no', { cause });
  return new ConnectionError('The connection was lost before an answer came', 'maybe', { cause });
}

/** Codes of Node's resolver, undici and Bun for failures that come before a request can leave. */
const connectCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
]);

/** Whether the request certainly never left, by the chain of causes. */
export function neverLeft(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    // A host that cannot be reached or does not answer has the same code while connecting as later; the call tells.
    if ('syscall' in current && current.syscall === 'connect') return true;
    if ('code' in current && typeof current.code === 'string' && connectCodes.has(current.code)) return true;
    // Node tries each address of a host.
    if (current instanceof AggregateError) return current.errors.every(neverLeft);
    current = current.cause;
  }
  return false;
}
