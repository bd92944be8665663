import type { Authorizer } from './authorizer.ts';
import { cleanCause } from './cause.ts';
import { ConnectionError, DeadlineError, TokenError } from './errors/local-errors.ts';
import { type CallContext, exchange, type LostAttempt, type ReadResponse } from './exchange.ts';
import type { OutgoingCall } from './openapi.ts';
import { Redactor } from './redact.ts';
import { type AttemptOutcome, responseTime, retryDelay } from './retry.ts';

/** Data for sending one call, besides the request. */
export interface Sending extends CallContext {
  authorizer: Authorizer;
  /** Whether the request can safely be sent twice. */
  repeatable: boolean;
  maxRetries: number;
  attemptTimeout: number;
  /** Whether a call that creates or sends something is sent again after a 401 or 429. */
  replayCreates: boolean;
}

/** Sends a call, and sends it again if the rules permit, until there is a final response. */
export async function send(call: OutgoingCall, sending: Sending): Promise<ReadResponse> {
  const { deadline, settings, state, repeatable, maxRetries } = sending;
  const budget = settings.budgets.of(state.operationId);
  /** Whether the request was sent again after a 401. A second 401 is final. */
  let isReplayed = false;
  let replacement: string | undefined;
  /** Number of retries, without replays after a 401. */
  let retries = 0;
  /** Number of retries after a 429. */
  let limited = 0;
  for (;;) {
    const token = replacement ?? (await authorize(sending));
    replacement = undefined;
    const limit = repeatable && retries < maxRetries ? sending.attemptTimeout : undefined;
    const result = await exchange(call, sending, { token, limit });
    // Most calls end here, before the headers of the response have to be read.
    if (!isLostAttempt(result) && result.response.ok) {
      budget.refill(retries, limited);
      return result;
    }
    if (!isLostAttempt(result) && result.response.status === 401 && token !== undefined && !isReplayed) {
      replacement = await replace(token, sending);
      isReplayed = true;
      if (replacement !== undefined) continue;
    }
    const delay = retryDelay(attemptOutcome(result), sending, retries, Date.now(), Math.random());
    if (delay === undefined || delay >= deadline.remaining()) return finish(result);
    if (!budget.take())
      return finish(result, `; not retried, because the retry budget of ${state.operationId} is used up`);
    state.next(mayBeProcessed(result), mayBeLost(result));
    if (!isLostAttempt(result) && result.response.status === 429) limited += 1;
    await deadline.wait(delay);
    retries += 1;
  }
}

function mayBeProcessed(result: ReadResponse | LostAttempt): boolean {
  return isLostAttempt(result) ? result.error.sent !== 'no' : result.response.status !== 429;
}

/**
 * Whether the service may have processed the request although its response was lost. A gateway returns status 502 or 504 if it
 * lost the response of the service.
 */
function mayBeLost(result: ReadResponse | LostAttempt): boolean {
  return isLostAttempt(result) ? result.error.sent !== 'no' : [502, 504].includes(result.response.status);
}

function isLostAttempt(result: ReadResponse | LostAttempt): result is LostAttempt {
  return 'isFinal' in result;
}

function attemptOutcome(result: ReadResponse | LostAttempt): AttemptOutcome {
  if (isLostAttempt(result)) return { sent: result.error.sent, isFinal: result.isFinal };
  const { status, headers } = result.response;
  return { status, retryAfter: headers.get('retry-after'), respondedAt: responseTime(headers) };
}

/**
 * Ends a call that failed.
 *
 * @param note - why the call was not retried
 */
function finish(result: ReadResponse | LostAttempt, note?: string): ReadResponse {
  if (!isLostAttempt(result)) return { ...result, note };
  const { error } = result;
  if (note === undefined) throw error;
  throw new ConnectionError(`${error.message}${note}`, error.sent, { cause: error.cause });
}

/** Replaces the token after a 401.
 *
 * @returns the token for a replay, or `undefined` if the response is final
 */
async function replace(rejected: string, sending: Sending): Promise<string | undefined> {
  const { authorizer, deadline, state, repeatable, replayCreates } = sending;
  if (!authorizer.replace) return undefined;
  deadline.signal.throwIfAborted();
  if (!repeatable && !replayCreates) {
    // The token is for the next call. This call fails with its 401, even if the token request fails or takes longer than the
    // deadline.
    await receiveToken(authorizer.replace(rejected), sending).catch((error: unknown) => {
      if (!(error instanceof DeadlineError)) deadline.signal.throwIfAborted();
    });
    return undefined;
  }
  // Assume that the attempt was not processed. The documents do not describe this response.
  state.next(false);
  const next = await receiveToken(authorizer.replace(rejected), sending);
  if (next === undefined) state.current = 'yes';
  return next;
}

/** Gets the token for an attempt. Returns it synchronously if no request is needed. */
function authorize(sending: Sending): Promise<string | undefined> | string | undefined {
  const { authorizer, deadline, anonymous } = sending;
  deadline.signal.throwIfAborted();
  if (anonymous) return undefined;
  const token = authorizer.token(deadline.signal);
  return typeof token === 'object' ? receiveToken(token, sending) : token;
}

/** Waits for a token. Creates a new error for each call, because calls share a token request. */
async function receiveToken<Received>(
  token: Promise<Received>,
  { deadline, state, settings: { secrets } }: Sending,
): Promise<Received> {
  try {
    return await deadline.race(token);
  } catch (error) {
    if (!(error instanceof TokenError) || deadline.signal.aborted) throw error;
    const { message, status, cause } = error;
    throw new TokenError(`${state.label}: ${message}`, status, { cause: cleanCause(cause, new Redactor(secrets)) });
  }
}
