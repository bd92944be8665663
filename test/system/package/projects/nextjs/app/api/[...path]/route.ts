import { apiKey, baseUrl } from '../../service';

/** The paths that the page calls. Everything else that the key can do, such as sending emails, stays out of reach. */
const allowed = /^\/crm\/v1\/(?:deals|pipelines)\//;

/** Sends a request of the page to the service, with the key. */
async function forward(request: Request): Promise<Response> {
  // Check here who the visitor is, and respond with 401 or 403: a request that is forwarded acts with your key.
  const { pathname, search } = new URL(request.url);
  const path = pathname.replace(/^\/api/, '');
  if (!allowed.test(path)) return new Response('There is no such operation', { status: 404 });
  const { method, signal } = request;
  const headers = copyHeaders(request.headers, ['accept', 'content-type']);
  headers.set('authorization', `Bearer ${apiKey}`);
  const body = (await request.text()) || undefined;
  try {
    const response = await fetch(baseUrl + path + search, { method, headers, body, signal, redirect: 'manual' });
    const responseHeaders = copyHeaders(response.headers, ['content-type', 'retry-after']);
    return new Response(response.body, { status: response.status, headers: responseHeaders });
  } catch {
    // The service may have processed the request: the client treats 502 like a lost response.
    return new Response('The service cannot be reached', { status: 502 });
  }
}

/** The headers with these names. Others, such as cookies, are for this server alone. */
function copyHeaders(from: Headers, names: string[]): Headers {
  const copy = new Headers();
  for (const name of names) {
    const value = from.get(name);
    if (value !== null) copy.set(name, value);
  }
  return copy;
}

export { forward as DELETE, forward as GET, forward as POST, forward as PUT };
