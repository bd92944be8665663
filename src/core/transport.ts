import type { Authorizer } from './authorizer.ts';
import type { Deadline } from './deadline.ts';
import { ConnectionError, TokenError } from './errors/local-errors.ts';
import { type Answer, exchange, type OutgoingRequest } from './exchange.ts';
import type { CalledOperation } from './operation.ts';
import { retryDelay } from './retry.ts';
import type { Settings } from './settings.ts';

/** Everything that sending one call needs beside the request. */
export interface Sending {
  settings: Settings;
  deadline: Deadline;
  authorizer: Authorizer;
  operation: CalledOperation;
  /** Whether it can be sent twice without harm. */
  repeatable: boolean;
  maxRetries: number;
}

/** Sends a request, again where the rules of retrying permit it, and reads the answer whole. */
export async function send(request: OutgoingRequest, sending: Sending): Promise<Answer & { doneBefore?: boolean }> {
  const { deadline, settings, operation } = sending;
  /** The last try that left and got no answer. */
  let lost: ConnectionError | undefined;
  /** A try may have been processed; no later one takes that back. */
  let open = false;
  for (let attempt = 0; ; attempt += 1) {
    const result = await authorized(request, sending, attempt).catch((error: unknown) => {
      // No token for another try: the failure of the one before stands, since it tells what is open.
      throw lost && error instanceof TokenError ? lost : error;
    });
    const failed = result instanceof ConnectionError;
    // Most calls end here; what follows would first have to build the headers of the answer.
    if (!failed && result.response.ok) return result;
    const status = failed ? undefined : result.response.status;
    // A repeated DELETE that finds nothing after a lost answer: the lost try did it.
    if (!failed && lost && status === 404 && request.method === 'DELETE') return { ...result, doneBefore: true };

    const outcome = failed ? result : { status, retryAfter: result.response.headers.get('retry-after') };
    const delay = retryDelay(outcome, sending, attempt, Date.now(), Math.random());
    if (failed && result.sent !== 'no') lost = result;
    open ||= failed ? result.sent !== 'no' : status !== 429;
    deadline.sent = open ? 'maybe' : 'no';
    if (delay === undefined || delay >= deadline.remaining()) {
      if (!failed) return result;
      throw open && result.sent === 'no' ? new ConnectionError(result.message, 'maybe', { cause: result }) : result;
    }
    const answered = status ?? 'nothing';
    settings.logger.debug?.(`carillon: ${operation.key} answered ${answered}; trying again in ${Math.round(delay)} ms`);
    await deadline.wait(delay);
  }
}

/**
 * After a 401 the token is replaced and the request sent once more, never twice: a 401 tells that it was not processed
 * (an assumption: the documents do not show it).
 */
async function authorized(
  request: OutgoingRequest,
  sending: Sending,
  attempt: number,
): Promise<Answer | ConnectionError> {
  const { authorizer, deadline, operation, settings } = sending;
  deadline.signal.throwIfAborted();
  if (operation.anonymous) return exchange(request, operation, attempt, undefined, settings, deadline);
  const token = await authorizer.token(deadline.signal);
  const answer = await exchange(request, operation, attempt, token, settings, deadline);
  if (answer instanceof ConnectionError || answer.response.status !== 401 || token === undefined) return answer;
  const renewed = await authorizer.token(deadline.signal, token);
  return renewed === token ? answer : exchange(request, operation, attempt, renewed, settings, deadline);
}
