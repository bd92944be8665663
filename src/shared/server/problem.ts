import { STATUS_CODES } from 'node:http';
import type { ServerReply } from './handler.ts';

export interface ProblemExtra {
  /** Additional members of the body. */
  members?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** A problem details reply: JSON with status, title and detail (RFC 9457). */
export function problemReply(status: number, detail: string, { members, headers }: ProblemExtra = {}): ServerReply {
  const body = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail, ...members };
  return { status, headers: { 'content-type': 'application/problem+json', ...headers }, text: JSON.stringify(body) };
}

/** Like `problemReply`, as a `Response`. */
export function problem(status: number, detail: string, extra?: ProblemExtra): Response {
  const { headers, text } = problemReply(status, detail, extra);
  return new Response(text, { status, headers });
}
