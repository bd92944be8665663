/**
 * Let pages of every origin read a local server's answer. Without credentials: the Authorization header needs none, and
 * `*` then exposes every response header.
 */
export const openToEveryOrigin = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };

export function exposeToEveryOrigin(response: Response): Response {
  for (const [name, value] of Object.entries(openToEveryOrigin)) response.headers.set(name, value);
  return response;
}

/** The answer to a preflight request. The asked-for names are echoed because `*` does not cover Authorization. */
export function answerPreflight(method: string, asked: Headers): Response | undefined {
  const wanted = asked.get('access-control-request-method');
  if (method !== 'OPTIONS' || !wanted) return undefined;
  const headers = asked.get('access-control-request-headers');
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': wanted,
      ...(headers && { 'access-control-allow-headers': headers }),
      'access-control-max-age': '600',
      vary: 'access-control-request-method, access-control-request-headers',
    },
  });
}
