import type { Authorizer } from './authorizer.ts';
import { cleanCause } from './clean-cause.ts';
import { ConnectionError, TokenError } from './errors/local-errors.ts';
import { type Answer, exchange, type HeaderRecord, type OutgoingRequest, type Shared } from './exchange.ts';
import { createRedactor } from './redact.ts';
import { retryDelay } from './retry.ts';
import { tryChannel, watch } from './trace.ts';

/** Everything that sending one call needs beside the request. */
export interface Sending extends Shared {
  authorizer: Authorizer;
  /** Whether it can be sent twice without harm. */
  repeatable: boolean;
  maxRetries: number;
  attemptTimeout: number;
}

/** Sends a request, repeats it if the retry rules allow, and reads the whole response. */
export async function send(request: OutgoingRequest, sending: Sending): Promise<Answer & { done?: boolean }> {
  const { deadline, settings, state, repeatable, maxRetries } = sending;
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
    const result = await watch(tryChannel, state, settings.baseUrl, run, wait, settings.logger.debug);
    wait = 0;
    const failed = result instanceof ConnectionError;
    // Most calls end here; what follows would first have to build the headers of the answer.
    if (!failed && result.response.ok) {
      settings.budget.refill(attempt);
      return result;
    }
    const status = failed ? undefined : result.response.status;
    // A repeated DELETE that finds nothing after a lost answer: the lost try did it.
    if (!failed && isLost && status === 404 && request.method === 'DELETE') return { ...result, done: true };

    if (status === 401 && token !== undefined && !isReplayed) {
      isReplayed = true;
      // It was not processed (an assumption: the documents do not show this answer).
      const renewed = await authorize(sending, token);
      if (renewed !== token) {
        replacement = renewed;
        continue;
      }
      state.current = 'yes';
    }
    const outcome = failed ? result : { status, retryAfter: result.response.headers.get('retry-after') };
    const delay = retryDelay(outcome, sending, attempt, Date.now(), Math.random());
    if (delay === undefined || delay >= deadline.remaining() || !settings.budget.take()) {
      if (failed) throw result;
      return result;
    }
    // Behind a gateway, a 502 or 504 is a lost reply.
    isLost ||= failed ? result.sent !== 'no' : status === 502 || status === 504;
    state.next(failed ? result.sent !== 'no' : status !== 429);
    await deadline.wait(delay);
    wait = delay;
    attempt += 1;
  }
}

/** The token of a try, at once if it needs no request. Calls share a token request, so each has an error of its own. */
function authorize(
  { authorizer, deadline, state, anonymous, settings: { secrets } }: Sending,
  refused?: string,
): Promise<string | undefined> | string | undefined {
  deadline.signal.throwIfAborted();
  if (anonymous) return undefined;
  if (refused !== undefined) state.next(false);
  const token = authorizer.token(deadline.signal, refused);
  if (typeof token !== 'object') return token;
  return deadline.race(token).catch((error: unknown) => {
    if (!(error instanceof TokenError) || deadline.signal.aborted) throw error;
    const { message, status, cause } = error;
    throw new TokenError(`${state.label}: ${message}`, status, {
      cause: cleanCause(cause, createRedactor(secrets)),
    });
  });
}
