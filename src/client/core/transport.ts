import type { Authorizer } from './authorizer.ts';
import { cleanCause } from './clean-cause.ts';
import { ConnectionError, TokenError } from './errors/local-errors.ts';
import {
  type Answer,
  exchange,
  type HeaderRecord,
  type LostTry,
  type OutgoingRequest,
  type Shared,
} from './exchange.ts';
import { Redactor } from './redact.ts';
import { type Outcome, replyTime, retryDelay } from './retry.ts';
import { tryChannel, watch } from './trace.ts';

/** Everything that sending one call needs beside the request. */
export interface Sending extends Shared {
  authorizer: Authorizer;
  maxRetries: number;
  attemptTimeout: number;
  /** Whether a call that creates or sends something is sent again after 401 and 429. */
  replayCreates: boolean;
}

/** Sends a request, repeats it if the retry rules allow, and reads the whole response. */
export async function send(request: OutgoingRequest, sending: Sending): Promise<Answer & { done?: boolean }> {
  const { deadline, settings, state, repeatable, maxRetries } = sending;
  const budget = settings.budgets.of(state.operationId);
  /** A try may have been processed, and its reply was lost. */
  let isLost = false;
  /** A 401 was answered with another token: this happens once. */
  let isReplayed = false;
  let replacement: string | undefined;
  let attempt = 0;
  let wait = 0;
  for (;;) {
    const token = replacement ?? (await authorize(sending));
    replacement = undefined;
    state.status = undefined;
    state.error = undefined;
    const limit = repeatable && attempt < maxRetries ? sending.attemptTimeout : undefined;
    const run = (added?: HeaderRecord) => exchange(request, sending, { attempt, token, limit, added });
    const result = await watch(tryChannel, state, settings.address(), run, wait, settings.logger.debug);
    wait = 0;
    // Most calls end here; what follows would first have to build the headers of the answer.
    if (!isLostTry(result) && result.response.ok) {
      budget.refill(attempt);
      return result;
    }
    const status = isLostTry(result) ? undefined : result.response.status;
    // A repeated DELETE that finds nothing after a lost answer: the lost try did it.
    if (!isLostTry(result) && isLost && status === 404 && request.method === 'DELETE') return { ...result, done: true };

    if (status === 401 && token !== undefined && !isReplayed) {
      isReplayed = true;
      replacement = await renew(token, sending);
      if (replacement !== undefined) continue;
    }
    const delay = retryDelay(outcomeOf(result), sending, attempt, Date.now(), Math.random());
    if (delay === undefined || delay >= deadline.remaining()) return finish(result);
    if (!budget.take())
      return finish(result, `; not tried again, because the retries of ${state.operationId} are used up`);
    // Behind a gateway, a 502 or 504 is a lost reply.
    isLost ||= isLostTry(result) ? result.error.sent !== 'no' : status === 502 || status === 504;
    state.next(isLostTry(result) ? result.error.sent !== 'no' : status !== 429);
    await deadline.wait(delay);
    wait = delay;
    attempt += 1;
  }
}

function isLostTry(result: Answer | LostTry): result is LostTry {
  return 'isFinal' in result;
}

function outcomeOf(result: Answer | LostTry): Outcome {
  if (isLostTry(result)) return { sent: result.error.sent, isFinal: result.isFinal };
  const { status, headers } = result.response;
  return { status, retryAfter: headers.get('retry-after'), repliedAt: replyTime(headers) };
}

/**
 * Ends a call that failed.
 *
 * @param note - why it was not tried again
 */
function finish(result: Answer | LostTry, note?: string): Answer {
  if (!isLostTry(result)) return { ...result, note };
  const { error } = result;
  if (note === undefined) throw error;
  throw new ConnectionError(`${error.message}${note}`, error.sent, { cause: error.cause });
}

/**
 * Replaces a token that was refused.
 *
 * @returns the token of a replay, or `undefined` if the answer is final
 */
async function renew(refused: string, sending: Sending): Promise<string | undefined> {
  const { deadline, state, repeatable, replayCreates } = sending;
  if (!repeatable && !replayCreates) {
    // The next call needs another token. This one has its answer, whatever becomes of the token.
    await Promise.resolve(authorize(sending, refused)).catch(() => deadline.signal.throwIfAborted());
    return undefined;
  }
  // It was not processed (an assumption: the documents do not show this answer).
  state.next(false);
  const renewed = await authorize(sending, refused);
  if (renewed !== refused) return renewed;
  state.current = 'yes';
  return undefined;
}

/** The token of a try, at once if it needs no request. */
function authorize(sending: Sending, refused?: string): Promise<string | undefined> | string | undefined {
  const { authorizer, deadline, anonymous } = sending;
  deadline.signal.throwIfAborted();
  if (anonymous) return undefined;
  const token = authorizer.token(deadline.signal, refused);
  return typeof token === 'object' ? receive(token, sending) : token;
}

/** Waits for a token. Calls share a token request, so each has an error of its own. */
async function receive(
  token: Promise<string | undefined>,
  { deadline, state, settings: { secrets } }: Sending,
): Promise<string | undefined> {
  try {
    return await deadline.race(token);
  } catch (error) {
    if (!(error instanceof TokenError) || deadline.signal.aborted) throw error;
    const { message, status, cause } = error;
    throw new TokenError(`${state.label}: ${message}`, status, { cause: cleanCause(cause, new Redactor(secrets)) });
  }
}
