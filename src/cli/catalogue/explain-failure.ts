import { type CarillonError, isCarillonError } from 'carillon';
import { lookupMethod, mayBeDone } from './lookup-method.ts';
import { documentedCode, type Method, methods } from './methods.ts';

/** How a program speaks of calls and credentials. */
export interface Wording {
  /** A call, as its reader makes it. */
  call(method: Method): string;
  /** Where the reader finds parameters and rules, as a sentence. */
  help(method: Method): string;
  /** Advice for wrong credentials, and for a call that they do not permit: sentences. */
  readonly credentials: string;
  readonly denied: string;
}

/** The next step after a failed call. */
export function nextStep(method: Method, error: CarillonError, wording: Wording): string {
  if (mayBeDone(method, error)) return lookFirst(method, wording);
  if (isCarillonError(error, 'AuthenticationError') || isCarillonError(error, 'TokenError')) return wording.credentials;
  if (isCarillonError(error, 'PermissionDeniedError')) return wording.denied;
  if (isCarillonError(error, 'RateLimitError')) {
    const { retryAfter } = error;
    return `Wait ${retryAfter === undefined ? '' : `${Math.ceil(retryAfter / 1000)} s `}before the next call.`;
  }
  const list = isCarillonError(error, 'NotFoundError') ? listOf(method) : undefined;
  if (list) return `See what exists with: ${wording.call(list)}`;
  const isRejected = isCarillonError(error, 'ApiError') && error.status < 500;
  if (!isRejected && !isCarillonError(error, 'ArgumentError')) return 'You can repeat the call.';
  const { advice } = (isRejected && documentedCode(method, error)) || {};
  return `${advice ?? `Fix the request. ${wording.help(method)}`} Do not repeat the same call.`;
}

/** The next step after a call whose response was lost. */
export function lookFirst(method: Method, { call }: Wording): string {
  const found = lookupMethod(method);
  return `Look before you repeat${found ? ` it: read with ${call(found)}` : ', at the service itself'}.`;
}

/** The method that lists the IDs in the path of a method. */
function listOf({ words, path }: Method): Method | undefined {
  if (!path.includes('{')) return undefined;
  const name = [...words.slice(0, -1), 'list'].join('.');
  return methods.find((other) => other.name === name && !other.path.includes('{'));
}
