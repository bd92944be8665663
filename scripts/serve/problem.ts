import { STATUS_CODES } from 'node:http';

/** A failure as JSON with status, title and detail (RFC 9457, problem details). */
export function problem(
  status: number,
  detail: string,
  extra: { members?: Record<string, unknown>; headers?: Record<string, string> } = {},
): Response {
  const body = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail, ...extra.members };
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/problem+json', ...extra.headers },
  });
}
