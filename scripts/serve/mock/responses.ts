import type { IHttpResponse } from '@stoplight/prism-http';
import { problem } from '../../../src/shared/server/problem.ts';
import type { Outcome } from './prism.ts';
import type { RouteMatch } from './router.ts';
import { summarize, type Violation } from './violations.ts';

const withoutBody = [204, 205, 304];

export function respond(outcome: Outcome): Response {
  if (outcome.kind === 'answered') return toResponse(outcome.output);
  return outcome.kind === 'refused'
    ? refuse(outcome.status, outcome.violations)
    : problem(outcome.status, outcome.detail);
}

/** Drops Prism's body, which is an example and does not describe this request. */
export function refuse(status: number, violations: Violation[]): Response {
  const { detail, members } = summarize(violations);
  const headers = status === 401 ? { 'www-authenticate': 'Bearer' } : undefined;
  return problem(status, detail, { members, ...(headers && { headers }) });
}

/** Responds to a request that matches no operation. */
export function respondUnrouted(method: string, pathname: string, match: Unrouted, hint?: string): Response {
  if (match.kind === 'wrongMethod') {
    const headers = { allow: match.allow.join(', ') };
    if (method === 'OPTIONS') return new Response(null, { status: 204, headers });
    return problem(405, `${pathname} has no ${method}. It has ${match.allow.join(', ')}.`, { headers });
  }
  if (match.kind === 'emptyValue') {
    return problem(404, `${pathname} has no value for {${match.parameter}} of ${match.template}.`);
  }
  return problem(404, `There is no operation at ${pathname}.${hint ? ` Did you mean ${hint}?` : ''}`);
}

type Unrouted = Exclude<RouteMatch<never>, { kind: 'operation' }>;

function toResponse({ statusCode, headers = {}, body }: IHttpResponse): Response {
  const sent = new Headers(headers);
  // Prism sets a media type even for an empty reply.
  if (body === undefined || withoutBody.includes(statusCode)) {
    sent.delete('content-type');
    return new Response(null, { status: statusCode, headers: sent });
  }
  return new Response(JSON.stringify(body), { status: statusCode, headers: sent });
}
