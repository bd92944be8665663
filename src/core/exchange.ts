import type { CallState } from './call-state.ts';
import { cleanCause } from './clean-cause.ts';
import type { Deadline } from './deadline.ts';
import { ConnectionError, ResponseError } from './errors/local-errors.ts';
import type { HookRequest, HookResponse } from './hooks.ts';
import { observe } from './observe.ts';
import { readBody } from './read-body.ts';
import { createRedactor, type Redactor } from './redact.ts';
import type { Settings } from './settings.ts';

/** By names in lower case. A call with `Headers` would take 3 % longer. */
export type HeaderRecord = Record<string, string>;

export interface OutgoingRequest {
  url: string;
  method: string;
  headers: HeaderRecord;
  body: string | undefined;
}

export interface Answer extends Redactor {
  response: Response;
  /** The body, read within the deadline. */
  text: string;
}

/** What the tries of a call share besides the request. */
export interface Shared {
  settings: Settings;
  deadline: Deadline;
  state: CallState;
  /** The operation takes no credential: it is the token operation. */
  anonymous: boolean | undefined;
}

/** What differs from try to try. */
export interface Try {
  /** Number of the try, without replays. */
  attempt: number;
  token: string | undefined;
  /** Milliseconds that the try may take, if another one can follow it. */
  limit: number | undefined;
  /** Headers of the subscribers of a tracing channel. */
  added: HeaderRecord | undefined;
}

/**
 * One request and its answer, between the hooks. No answer is a result here, since the request may be sent again. What
 * `onRequest` throws ends the call; the other hooks only observe.
 */
export async function exchange(
  { url, method, headers, body }: OutgoingRequest,
  { settings, deadline, state, anonymous }: Shared,
  { attempt, token, limit, added }: Try,
): Promise<Answer | ConnectionError> {
  const { fetch, middleware, showBodies, logger, maxReplyBytes, secrets } = settings;
  const { callId, operationId, operation } = state;
  // The token operation carries secrets in its bodies, so hooks never see those.
  const visible = showBodies && !anonymous;
  const given: HeaderRecord = { ...headers, ...added };
  let credential: string | null | undefined = token === undefined ? given.authorization : `Bearer ${token}`;
  let own: Headers | undefined;
  let shown: HookRequest | undefined;
  // Only for hooks: most clients have none.
  const show = (): HookRequest => {
    shown ??= {
      callId,
      operationId,
      operation,
      url,
      attempt,
      // Only if a hook uses them. Each try has its own: what a hook appends to one does not pile up in the next.
      get headers() {
        if (!own) {
          own = new Headers(given);
          // No hook sees it.
          own.delete('authorization');
        }
        return own;
      },
      ...(visible && body !== undefined && { body }),
    };
    return shown;
  };
  for (const hook of middleware) {
    await deadline.race(Promise.resolve(hook.onRequest?.(show())));
    // No other hook sees it.
    credential ??= own?.get('authorization');
    own?.delete('authorization');
  }
  const sent: HeaderRecord = own ? Object.fromEntries(own) : given;
  if (credential) sent.authorization = credential;
  const secret = token ?? credential?.replace(/^\S+ /, '');
  // Three characters are in too many texts to be looked for.
  if (secret?.[3] && !secrets.includes(secret)) {
    // The first one can be the client secret. Others may have replaced a token when an error shows it.
    secrets.splice(1, 0, secret);
    secrets.splice(20);
  }
  const redactor = createRedactor([...secrets], body);
  const trusted = settings.trusts();
  const started = middleware.length && performance.now();
  let response: Response;
  let text: string | undefined;
  // A reply with a token is short, and V8 has no longer texts.
  const longest = Math.min(maxReplyBytes, anonymous ? 2 ** 20 : 2 ** 29 - 24);
  try {
    state.tries += 1;
    state.current = 'maybe';
    if (limit !== undefined) deadline.startTry(limit);
    // Redirects are answers here: following one would send the body to an address that nobody named.
    const init: RequestInit = { method, headers: sent, signal: deadline.signal, redirect: 'manual', body };
    response = await deadline.race(fetch(url, init));
    state.current = 'yes';
    state.status = response.status;
    text = await deadline.race(readBody(response, longest));
    deadline.endTry();
  } catch (error) {
    deadline.endTry();
    // What the caller aborts with is the caller's.
    const cause = error === deadline.signal.reason ? error : cleanCause(error, redactor);
    // All at once: after an abort nobody waits for the first, and the others are still called.
    const told = middleware.map((hook) => observe(() => hook.onError?.(show(), cause), logger, 'onError'));
    await deadline.race(Promise.all(told));
    const isRefused = state.current !== 'yes' && trusted && neverLeft(error);
    state.current = isRefused ? 'no' : 'maybe';
    const what = isRefused ? 'could not connect' : 'lost the connection';
    const failure = new ConnectionError(`${state.label}: ${what} to ${new URL(url).host}`, state.current, { cause });
    state.error = failure;
    return failure;
  }
  if (middleware.length > 0) {
    const duration = performance.now() - started;
    const seen: HookResponse = {
      status: response.status,
      // Most hooks do not read them.
      get headers() {
        return new Headers(
          [...response.headers].map(([name, value]): [string, string] => [name, redactor.redact(value)]),
        );
      },
      duration,
      ...(visible && text !== undefined && { body: redactor.redact(text) }),
    };
    for (const hook of middleware) {
      await deadline.race(observe(() => hook.onResponse?.(show(), seen), logger, 'onResponse'));
    }
  }
  if (text === undefined) {
    const details = { status: response.status, body: '' };
    throw new ResponseError(`${state.label}: the reply is longer than maxReplyBytes (${longest})`, details);
  }
  return { response, text, ...redactor };
}

/** Codes of Node's resolver, undici and Bun for failures that come before a request can leave. */
const connectCodes = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused)$/;

/** Whether the request certainly never left, by the chain of causes. */
export function neverLeft(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    // A host that cannot be reached or does not answer has the same code while connecting as later; the call tells.
    if (Reflect.get(current, 'syscall') === 'connect' || connectCodes.test(Reflect.get(current, 'code'))) return true;
    // Node tries each address of a host.
    if (current instanceof AggregateError) return current.errors.every(neverLeft);
    current = current.cause;
  }
  return false;
}
