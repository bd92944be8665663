import type { Authorizer } from './authorizer.ts';
import type { Deadline } from './deadline.ts';
import { ConnectionError, isConnectionError } from './errors/local-errors.ts';
import { type Answer, exchange, type OutgoingRequest } from './exchange.ts';
import { retryDelay } from './retry.ts';
import type { Settings } from './settings.ts';

/** Everything that sending one call needs beside the request. */
export interface Sending {
  settings: Settings;
  deadline: Deadline;
  authorizer: Authorizer;
  /** `key` is `GET /deals/{dealId}`; an anonymous operation takes no credential. */
  operation: { id: string; key: string; anonymous: boolean };
  /** Whether it can be sent twice without harm. */
  repeatable: boolean;
  maxRetries: number;
}

/** Sends a request, again where the rules of retrying permit it, and reads the answer whole. */
export async function send(request: OutgoingRequest, sending: Sending): Promise<Answer & { doneBefore?: boolean }> {
  const { deadline, settings, operation } = sending;
  /** An earlier try may have been processed: it left, and no answer came. */
  let lost = false;
  for (let attempt = 0; ; attempt += 1) {
    const result = await attemptOnce(request, sending, attempt);
    const failed = result instanceof ConnectionError;
    const status = failed ? undefined : result.response.status;
    // A repeated DELETE that finds nothing after a lost answer: the lost try did it.
    if (!failed && lost && status === 404 && request.method === 'DELETE') return { ...result, doneBefore: true };

    const outcome = failed ? result : { status, retryAfter: result.response.headers.get('retry-after') };
    const delay = retryDelay(outcome, sending, attempt, Date.now(), Math.random());
    if (failed) {
      lost ||= result.sent !== 'no';
      deadline.sent = lost ? 'maybe' : 'no';
    }
    if (delay === undefined || delay >= deadline.remaining()) {
      if (!failed) return result;
      throw result.sent === deadline.sent
        ? result
        : new ConnectionError(result.message, deadline.sent, { cause: result });
    }
    const why = status === undefined ? 'no answer' : `status ${status}`;
    settings.logger.debug?.(`carillon: ${operation.key}: ${why}; trying again in ${Math.round(delay)} ms`);
    await deadline.wait(delay);
  }
}

/** One try; a lost connection is a result here, since it may be tried again. */
async function attemptOnce(
  request: OutgoingRequest,
  sending: Sending,
  attempt: number,
): Promise<Answer | ConnectionError> {
  try {
    return await authorized(request, sending, attempt);
  } catch (error) {
    if (isConnectionError(error)) return error;
    throw error;
  }
}

/**
 * After a 401 the token is replaced and the request sent once more, never twice: a 401 tells that it was not processed
 * (an assumption: the documents do not show it).
 */
async function authorized(request: OutgoingRequest, sending: Sending, attempt: number): Promise<Answer> {
  const { authorizer, deadline, operation, settings } = sending;
  if (operation.anonymous) return exchange(request, operation, attempt, undefined, settings, deadline);
  const token = await authorizer.token(deadline.signal);
  const answer = await exchange(request, operation, attempt, token, settings, deadline);
  if (answer.response.status !== 401 || token === undefined) return answer;
  const renewed = await authorizer.token(deadline.signal, token);
  return renewed === token ? answer : exchange(request, operation, attempt, renewed, settings, deadline);
}
