import { readFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { staticMiddleware } from 'srvx/static';

const methods = ['GET', 'HEAD'];

/** Files with a content hash in their names, which change their names with their contents. */
const hashed = /^\/_astro\//;
const forever = 'public, max-age=31536000, immutable';

/** MIME types that `srvx` does not know. */
const types: Readonly<Record<string, string>> = {
  '.md': 'text/markdown; charset=utf-8',
  '.yaml': 'application/yaml',
};

/**
 * Headers of every response. `frame-ancestors` has no effect in a `<meta>`, which holds the rest of the policy
 * (scripts/docs/starlight/policy.ts).
 */
const headers: Readonly<Record<string, string>> = {
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

/** The response to an unknown path if the site has no 404 page. */
const missing = `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Page not found</title>
<h1>Page not found</h1>
<p>There is no page at this address. <a href="/">Go to the start page</a>, or build the pages with <code>npm run docs</code>.</p>
</html>
`;

/**
 * Serves only the files of a folder, compressed if the client accepts that. A folder returns its `index.html`, an unknown
 * path `404.html` with status 404. `srvx` handles conditional and range requests.
 */
export function staticHandler(directory: string): (request: Request) => Promise<Response> {
  const folder = resolve(directory);
  const serveFile = staticMiddleware({ dir: folder, methods });
  return async (request) => {
    if (!methods.includes(request.method)) {
      return new Response('Only GET and HEAD are allowed.\n', {
        status: 405,
        headers: { ...headers, allow: methods.join(', '), 'content-type': 'text/plain; charset=utf-8' },
      });
    }
    const { pathname } = new URL(request.url);
    const response = await whole(await serveFile(request, () => notFound(folder, request.method)));
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    if (response.status < 400) {
      // Pages may be rebuilt while they are served, so browsers revalidate them and get 304 if they are unchanged.
      response.headers.set('cache-control', hashed.test(pathname) ? forever : 'no-cache');
      const type = types[extname(pathname)];
      if (type && response.status !== 304) response.headers.set('content-type', type);
    }
    return response;
  };
}

/**
 * Reads the whole file before the response begins. A stream would stay open if the client disconnects, and doing so at the
 * end of the file crashes Node with an uncaught error.
 */
async function whole(response: Response): Promise<Response> {
  const { status, headers } = response;
  return new Response(response.body ? await response.arrayBuffer() : null, { status, headers });
}

async function notFound(folder: string, method: string): Promise<Response> {
  const page = await readFile(join(folder, '404.html'), 'utf8').catch(() => missing);
  return new Response(method === 'HEAD' ? null : page, {
    status: 404,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
  });
}
