import type { IHttpResponse } from '@stoplight/prism-http';
import { problem } from '../shared/server/problem.ts';
import type { PrismOutcome } from './ask-prism.ts';
import { summarize, type Violation } from './violations.ts';

const withoutBody = [204, 205, 304];

export function respond(outcome: PrismOutcome): Response {
  if (outcome.kind === 'response') return toResponse(outcome.output);
  return outcome.kind === 'rejected'
    ? reject(outcome.status, outcome.violations)
    : problem(outcome.status, outcome.detail);
}

/**
 * Creates a response that lists the violations. Prism's body is dropped, because it is an example and does not describe the
 * request.
 */
export function reject(status: number, violations: Violation[]): Response {
  const { detail, members } = summarize(violations);
  const headers = status === 401 ? { 'www-authenticate': 'Bearer' } : undefined;
  return problem(status, detail, { members, ...(headers && { headers }) });
}

/** Why a request matches no operation. */
export interface Unrouted {
  /** A path value is missing, as in `/deals//comments`. */
  lacking?: { name: string; template: string };
  /** Methods that the path supports, if the requested method is not one of them. */
  allowed?: readonly string[];
  /** The documented path, if the caller omitted its base path. */
  hint?: string;
}

/** Responds to a request that matches no operation. */
export function respondUnrouted(method: string, pathname: string, { lacking, allowed, hint }: Unrouted): Response {
  if (allowed) {
    const headers = { allow: allowed.join(', ') };
    if (method === 'OPTIONS') return new Response(null, { status: 204, headers });
    return problem(405, `${pathname} does not support ${method}, only ${headers.allow}.`, { headers });
  }
  if (lacking) return problem(404, `${pathname} has no value for {${lacking.name}} in ${lacking.template}.`);
  return problem(404, `There is no operation at ${pathname}.${hint ? ` Did you mean ${hint}?` : ''}`);
}

function toResponse({ statusCode, headers = {}, body }: IHttpResponse): Response {
  const sent = new Headers(headers);
  // Prism sets a media type even for an empty response.
  if (body === undefined || withoutBody.includes(statusCode)) {
    sent.delete('content-type');
    return new Response(null, { status: statusCode, headers: sent });
  }
  return new Response(JSON.stringify(body), { status: statusCode, headers: sent });
}
