import { type CarillonError, isCarillonError } from 'carillon';
import { documentedCode, lookWith, type Method } from '../catalogue/index.ts';
import { mayBeDone } from '../catalogue/look.ts';
import { sentTexts } from '../catalogue/sent-texts.ts';
import { cutText } from '../text/cut-text.ts';
import { frameData } from './result.ts';

/** Place of a rehearsal, a sandbox or the service in its test mode. */
export type Rehearsal = 'sandbox' | 'service';

/** Explains a failure: its cause, whether the call may have been processed, and the next step. A rehearsal changes no data. */
export function writeFailure(method: Method, error: unknown, rehearsal?: Rehearsal): string {
  if (rehearsal && isCarillonError(error)) {
    const isRefusal = isCarillonError(error, 'ApiError') && error.status < 500;
    // An ID that the invented account lacks is not a mistake in the parameters.
    const isMissing = rehearsal === 'sandbox' && isCarillonError(error, 'NotFoundError');
    const next = isRefusal
      ? !isMissing && `Describe ${method.name}, and fix the parameters.`
      : 'You can rehearse it again.';
    return [
      `${method.name} failed: ${summaryOf(method, error)}`,
      next && `next: ${next}`,
      ...messageOf(error, `The ${rehearsal}'s message`),
    ]
      .filter(Boolean)
      .join('\n');
  }
  if (!isCarillonError(error)) {
    const effect = method.effect === 'read' ? '' : ` ${look(method)}`;
    return `${method.name} ended: ${nameOf(error)}.${effect}`;
  }
  const { sent = 'no' } = error;
  const lines = [`${method.name} failed: ${summaryOf(method, error)}`, `sent: ${sent} (${sentTexts[sent]})`];
  const next = nextStep(method, error);
  if (next) lines.push(`next: ${next}`);
  return [...lines, ...messageOf(error, "The service's message")].join('\n');
}

function messageOf(error: CarillonError, what: string): string[] {
  const isGiven = isCarillonError(error, 'ApiError') && error.serviceMessage !== undefined;
  return isGiven ? [frameData(what, cutText(error.serviceMessage ?? '', 300))] : [];
}

/** Summarizes a failure in our words. The service's own message follows in a frame. */
function summaryOf(method: Method, error: CarillonError): string {
  if (!isCarillonError(error, 'ApiError')) return error.message;
  const meaning = documentedCode(method, error)?.meaning;
  const code = error.code === undefined ? '' : `, code ${cutText(error.code, 40)}`;
  return `${error.name}, status ${error.status}${code}${meaning === undefined ? '' : `: ${meaning}`}`;
}

function nextStep(method: Method, error: CarillonError): string | undefined {
  if (mayBeDone(method, error)) return look(method);
  if (isCarillonError(error, 'ArgumentError')) return `Describe ${method.name}, and fix the parameters.`;
  if (isCarillonError(error, 'AuthenticationError') || isCarillonError(error, 'TokenError'))
    return 'Ask the person to check the credentials of this server.';
  if (isCarillonError(error, 'RateLimitError')) return waitText(error.retryAfter);
  if (isCarillonError(error, 'ApiError') && error.status < 500) {
    const advice =
      documentedCode(method, error)?.advice ?? `Describe ${method.name} for its rules, and fix the parameters.`;
    return `${advice} Do not repeat the same call.`;
  }
  return 'You can repeat the call.';
}

function waitText(wait: number | undefined): string {
  return wait === undefined
    ? 'Wait before the next call.'
    : `Wait ${Math.ceil(wait / 1000)} seconds before the next call.`;
}

function look(method: Method): string {
  const found = lookWith(method);
  return `Look before you repeat${found ? ` it: read with ${found.name}` : ', at the service itself'}.`;
}

/**
 * Returns the name of an error. The reason of an abort comes from the client of the protocol, so its message is not shown.
 */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'it was cancelled';
}
