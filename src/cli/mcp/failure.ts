import { type CarillonError, isCarillonError, type Sent } from 'carillon';
import { lookFirst, nextStep, type Wording } from '../catalogue/explain-failure.ts';
import { failureLines } from '../catalogue/failure-lines.ts';
import { documentedCode, type Method } from '../catalogue/index.ts';
import { cutText } from '../text/cut-text.ts';
import { frameData } from './result.ts';

/** Where a call is rehearsed: in a sandbox, or by the service in its test mode. */
export type Rehearsal = 'sandbox' | 'service';

/** Explains a failure: its cause, whether the call may have been processed, and the next step. A rehearsal changes no data. */
export function writeFailure(method: Method, error: unknown, rehearsal?: Rehearsal): string {
  if (rehearsal && isCarillonError(error)) {
    const isRejected = isCarillonError(error, 'ApiError') && error.status < 500;
    // An ID that does not exist in the invented account is not a mistake in the parameters.
    const isMissing = rehearsal === 'sandbox' && isCarillonError(error, 'NotFoundError');
    const next = isRejected ? (isMissing ? undefined : wording.help(method)) : 'You can rehearse the call again.';
    const lines = failureLines(`${method.name} failed: ${summaryOf(method, error)}`, undefined, next);
    return [lines, ...serviceMessageOf(error, `The ${rehearsal}'s message`)].join('\n');
  }
  if (!isCarillonError(error)) {
    const name = error instanceof Error ? error.name : 'unknown';
    return writeEnd(method, `ended with an unexpected error: ${name}`, 'maybe');
  }
  const message = `${method.name} failed: ${summaryOf(method, error)}`;
  const lines = failureLines(message, error.sent ?? 'no', nextStep(method, error, wording));
  return [lines, ...serviceMessageOf(error, "The service's message")].join('\n');
}

/** Explains a call that ended without a response and without an error from the client. */
export function writeEnd(method: Method, what: string, sent: Sent): string {
  const isUnknown = method.effect !== 'read' && sent !== 'no';
  return failureLines(`${method.name} ${what}`, sent, isUnknown ? lookFirst(method, wording) : undefined);
}

/** Phrases that the server uses to describe calls and credentials. */
const wording: Wording = {
  call: ({ name }) => name,
  help: ({ name }) => `To see its parameters and rules, describe ${name}.`,
  credentials: 'Ask the person to check the credentials of this server.',
  denied: 'The credentials do not permit this call. Ask the person to check the credentials.',
};

function serviceMessageOf(error: CarillonError, what: string): string[] {
  const isGiven = isCarillonError(error, 'ApiError') && error.serviceMessage !== undefined;
  return isGiven ? [frameData(what, cutText(error.serviceMessage ?? '', 300))] : [];
}

/** Summarizes a failure without the service's own message, which follows in a frame. */
function summaryOf(method: Method, error: CarillonError): string {
  if (!isCarillonError(error, 'ApiError')) return error.message;
  const meaning = documentedCode(method, error)?.meaning;
  const code = error.code === undefined ? '' : `, code ${cutText(error.code, 40)}`;
  return `${error.name}, status ${error.status}${code}${meaning === undefined ? '' : `: ${meaning}`}`;
}
