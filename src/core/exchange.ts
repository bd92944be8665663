import type { CallState } from './call-state.ts';
import type { Deadline } from './deadline.ts';
import { ConnectionError } from './errors/local-errors.ts';
import type { HookRequest } from './hooks.ts';
import { observe } from './observe.ts';
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
  /** What was sent and no message may repeat: the credential, and every longer text of the body. `undefined` if unknown. */
  secrets(): string[] | undefined;
}

/** What one try needs besides the request. */
export interface Try {
  settings: Settings;
  deadline: Deadline;
  state: CallState;
  /** The operation takes no credential: it is the token operation. */
  anonymous: boolean | undefined;
  /** Number of the try, without replays. */
  attempt: number;
  token: string | undefined;
  /** Milliseconds that the try may take, if another one can follow it. */
  limit: number | undefined;
}

/**
 * One request and its answer, between the hooks. No answer is a result here, since the request may be sent again. What
 * `onRequest` throws ends the call; the other hooks only observe.
 */
export async function exchange(
  { url, method, headers, body }: OutgoingRequest,
  { settings, deadline, state, anonymous, attempt, token, limit }: Try,
): Promise<Answer | ConnectionError> {
  const { fetch, middleware, showBodies, logger } = settings;
  const { callId, operationId, operation } = state;
  // The token operation carries secrets in its bodies, so hooks never see those.
  const visible = showBodies && !anonymous;
  const { authorization, ...others } = headers;
  const credential = token === undefined ? authorization : `Bearer ${token}`;
  const hooked = middleware.length > 0;
  // Each try has its own: what a hook appends to one does not pile up in the next.
  const own = new Headers(hooked ? others : undefined);
  const shown: HookRequest = {
    callId,
    operationId,
    operation,
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
  const trusted = settings.trustsConnectErrors();
  const started = performance.now();
  let response: Response;
  let text: string;
  try {
    state.tries += 1;
    state.current = 'maybe';
    if (limit !== undefined) deadline.startTry(limit);
    response = await deadline.race(fetch(url, init));
    state.current = 'yes';
    state.status = response.status;
    text = await deadline.race(response.text());
    deadline.endTry();
  } catch (error) {
    deadline.endTry();
    // All at once: after an abort nobody waits for the first, and the others are still called.
    const told = middleware.map((hook) => observe(() => hook.onError?.(shown, error), logger, 'onError'));
    await deadline.race(Promise.all(told));
    return connectionError(error, state, url, trusted);
  }
  if (hooked) {
    const duration = performance.now() - started;
    const seen = { status: response.status, headers: response.headers, duration, ...(visible && { body: text }) };
    for (const hook of middleware) {
      await deadline.race(observe(() => hook.onResponse?.(shown, seen), logger, 'onResponse'));
    }
  }
  return {
    response,
    text,
    // Computed only when an error message needs it.
    secrets() {
      const secrets = [credential?.split(' ').pop() ?? ''];
      try {
        JSON.parse(body ?? 'null', (_, value) => typeof value === 'string' && value.length > 7 && secrets.push(value));
        return secrets;
      } catch {
        // A body that is nested too deep to be searched.
        return undefined;
      }
    },
  };
}

function connectionError(cause: unknown, state: CallState, url: string, trusted: boolean): ConnectionError {
  const isRefused = state.current !== 'yes' && trusted && neverLeft(cause);
  state.current = isRefused ? 'no' : 'maybe';
  const what = isRefused ? 'could not connect' : 'lost the connection';
  const error = new ConnectionError(`${state.label}: ${what} to ${new URL(url).host}`, state.current, { cause });
  state.error = error;
  return error;
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
