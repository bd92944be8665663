import { STATUS_CODES } from 'node:http';
import type { HandlerResponse } from './handler.ts';

export interface ProblemExtra {
  /** Additional members of the body. */
  members?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** A problem details response: JSON with status, title and detail (RFC 9457). */
export function problemResponse(
  status: number,
  detail: string,
  { members, headers }: ProblemExtra = {},
): HandlerResponse {
  const body = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail, ...members };
  return { status, headers: { 'content-type': 'application/problem+json', ...headers }, text: JSON.stringify(body) };
}

/** Like `problemResponse`, but returns a `Response`. */
export function problem(status: number, detail: string, extra?: ProblemExtra): Response {
  const { headers, text } = problemResponse(status, detail, extra);
  return new Response(text, { status, headers });
}
