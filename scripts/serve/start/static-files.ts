import { resolve } from 'node:path';
import { staticMiddleware } from 'srvx/static';

const methods = ['GET', 'HEAD'];

const missing = `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Page not found</title>
<style>:root { color-scheme: light dark } body { max-width: 32rem; margin: 4rem auto; padding: 0 1rem; font: 16px/1.6 system-ui, sans-serif }</style>
<h1>Page not found</h1>
<p>There is no page at this address. <a href="/">Go to the start page</a>, or build the pages with <code>npm run docs</code>.</p>
</html>
`;

/** Serves the files of a folder and nothing outside it; a folder is answered with its `index.html`. */
export function staticHandler(directory: string): (request: Request) => Promise<Response> {
  // Pages are rebuilt while they are served: a browser asks each time, and gets 304 if nothing changed.
  const serveFile = staticMiddleware({ dir: resolve(directory), methods, maxAge: 0, compress: false });
  return async (request) => {
    if (!methods.includes(request.method)) {
      return new Response('Only GET and HEAD are answered here.\n', {
        status: 405,
        headers: { allow: methods.join(', '), 'content-type': 'text/plain; charset=utf-8' },
      });
    }
    return serveFile(request, () => notFound(request.method));
  };
}

function notFound(method: string): Response {
  return new Response(method === 'HEAD' ? null : missing, {
    status: 404,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
}
