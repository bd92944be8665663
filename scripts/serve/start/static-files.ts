import { readFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { staticMiddleware } from 'srvx/static';

const methods = ['GET', 'HEAD'];

/** Files whose names contain a hash of their contents: a changed file has another name. */
const hashed = /^\/(?:_astro|pagefind\/(?:fragment|index))\//;
const forever = 'public, max-age=31536000, immutable';

/** Types that `srvx` does not know. */
const types: Readonly<Record<string, string>> = {
  '.md': 'text/markdown; charset=utf-8',
  '.yaml': 'application/yaml',
};

/** On every reply. The rest of the policy is in each page (scripts/docs/policy.ts); a page cannot set this part of it. */
const headers: Readonly<Record<string, string>> = {
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

/** The reply to an unknown path while the site has no page for it. */
const missing = `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Page not found</title>
<h1>Page not found</h1>
<p>There is no page at this address. <a href="/">Go to the start page</a>, or build the pages with <code>npm run docs</code>.</p>
</html>
`;

/**
 * Serves the files of a folder and nothing outside it, compressed if the client accepts that; a folder is answered with its
 * `index.html`, an unknown path with `404.html` and status 404. `srvx` does conditional and partial requests.
 */
export function staticHandler(directory: string): (request: Request) => Promise<Response> {
  const folder = resolve(directory);
  const serveFile = staticMiddleware({ dir: folder, methods });
  return async (request) => {
    if (!methods.includes(request.method)) {
      return new Response('Only GET and HEAD are answered here.\n', {
        status: 405,
        headers: { ...headers, allow: methods.join(', '), 'content-type': 'text/plain; charset=utf-8' },
      });
    }
    const { pathname } = new URL(request.url);
    const reply = await whole(await serveFile(request, () => notFound(folder, request.method)));
    for (const [name, value] of Object.entries(headers)) reply.headers.set(name, value);
    if (reply.status < 400) {
      // Pages are rebuilt while they are served: a browser asks each time, and gets 304 if nothing changed.
      reply.headers.set('cache-control', hashed.test(pathname) ? forever : 'no-cache');
      const type = types[extname(pathname)];
      if (type && reply.status !== 304) reply.headers.set('content-type', type);
    }
    return reply;
  };
}

/**
 * Reads the file before the reply begins. As a stream, it would stay open if the client leaves, and Node ends with an uncaught
 * error if that happens at the end of the file.
 */
async function whole(reply: Response): Promise<Response> {
  const { status, headers } = reply;
  return new Response(reply.body ? await reply.arrayBuffer() : null, { status, headers });
}

async function notFound(folder: string, method: string): Promise<Response> {
  const page = await readFile(join(folder, '404.html'), 'utf8').catch(() => missing);
  return new Response(method === 'HEAD' ? null : page, {
    status: 404,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
  });
}
