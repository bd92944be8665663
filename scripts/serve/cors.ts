import type { FetchHandler } from './serve.ts';

/**
 * Lets pages of every origin call a local server. Without credentials: the Authorization header needs none, and `*` then
 * exposes every response header.
 */
export function allowEveryOrigin(handler: FetchHandler['fetch']): FetchHandler['fetch'] {
  return async (request) => {
    const wanted = request.headers.get('access-control-request-method');
    const response = request.method === 'OPTIONS' && wanted ? preflight(request, wanted) : await handler(request);
    response.headers.set('access-control-allow-origin', '*');
    response.headers.set('access-control-expose-headers', '*');
    return response;
  };
}

/** The asked-for names are echoed because `*` does not cover Authorization. */
function preflight(request: Request, method: string): Response {
  const headers = request.headers.get('access-control-request-headers');
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': method,
      ...(headers && { 'access-control-allow-headers': headers }),
      'access-control-max-age': '600',
      vary: 'access-control-request-method, access-control-request-headers',
    },
  });
}
