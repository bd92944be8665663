import { type CarillonError, isCarillonError } from 'carillon';
import { lookupMethod, mayBeDone } from './lookup-method.ts';
import { documentedCode, type Method, methods } from './methods.ts';

/** Phrases that a program uses to describe calls and credentials. */
export interface Wording {
  /** Returns the call as the reader would write it. */
  call(method: Method): string;
  /** Returns a sentence that says where to find the parameters and rules. */
  help(method: Method): string;
  /** Advice, in sentences, for a call that failed because the service rejected the credentials. */
  readonly credentials: string;
  /** Advice, in sentences, for a call that the credentials do not permit. */
  readonly denied: string;
}

/** Returns the next step after a failed call. */
export function nextStep(method: Method, error: CarillonError, wording: Wording): string {
  if (mayBeDone(method, error)) return lookFirst(method, wording);
  if (isCarillonError(error, 'AuthenticationError') || isCarillonError(error, 'TokenError')) return wording.credentials;
  if (isCarillonError(error, 'PermissionDeniedError')) return wording.denied;
  if (isCarillonError(error, 'RateLimitError')) {
    const { retryAfter } = error;
    return `Wait ${retryAfter === undefined ? '' : `${Math.ceil(retryAfter / 1000)} s `}before the next call.`;
  }
  const list = isCarillonError(error, 'NotFoundError') ? listOf(method) : undefined;
  if (list) return `List the existing records with: ${wording.call(list)}`;
  const isRejected = isCarillonError(error, 'ApiError') && error.status < 500;
  if (!isRejected && !isCarillonError(error, 'ArgumentError')) return 'You can repeat the call.';
  const { advice } = (isRejected && documentedCode(method, error)) || {};
  return `${advice ?? `Fix the request. ${wording.help(method)}`} Do not repeat the same call.`;
}

/** Returns the next step after a call whose response was lost. */
export function lookFirst(method: Method, { call }: Wording): string {
  const found = lookupMethod(method);
  return `Before you repeat the call, check ${found ? `with ${call(found)}` : 'in the service'} whether it was processed.`;
}

/** Returns the method that lists the IDs for a method's path. */
function listOf({ words, path }: Method): Method | undefined {
  if (!path.includes('{')) return undefined;
  const name = [...words.slice(0, -1), 'list'].join('.');
  return methods.find((other) => other.name === name && !other.path.includes('{'));
}
