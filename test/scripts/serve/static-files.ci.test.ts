import { readdirSync, readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { get, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { staticHandler } from '../../../scripts/serve/start/static-files.ts';
import { type RunningServer, serve } from '../../../src/shared/server/serve.ts';

interface RawResponse {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const long = `<h1>Long</h1>${'<p>The same sentence, again and again.</p>'.repeat(500)}`;

describe('the static handler', () => {
  let folder: string;
  let server: RunningServer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'carillon-static-'));
    const site = join(folder, 'site');
    await mkdir(join(site, 'guide'), { recursive: true });
    await writeFile(join(folder, 'secret.txt'), 'secret');
    await writeFile(join(site, 'index.html'), '<h1>Start</h1>');
    await writeFile(join(site, 'guide', 'index.html'), '<h1>Guide</h1>');
    await writeFile(join(site, 'data.json'), '{}');
    await writeFile(join(site, 'crm.yaml'), 'openapi: 3.1.1');
    await writeFile(join(site, 'guide.md'), '# Guide');
    await writeFile(join(site, '404.html'), '<h1>Not here</h1>');
    await writeFile(join(site, 'long.html'), long);
    await mkdir(join(site, '_astro'));
    await writeFile(join(site, '_astro', 'page.Dx12.js'), 'export {};');
    await writeFile(join(site, '.hidden'), 'secret');
    await symlink(join(folder, 'secret.txt'), join(site, 'link.txt'));
    server = await serve({ fetch: staticHandler(site) }, { port: 0 });
  });
  afterAll(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * Sends the path unchanged and reads the body as it arrives. `fetch` would normalise the path and decompress the body.
   */
  async function getRaw(path: string, headers: OutgoingHttpHeaders = {}): Promise<RawResponse> {
    const { hostname, port } = new URL(server.url);
    return new Promise((resolve, reject) => {
      get({ hostname, port, path, headers, timeout: 5000 }, (response) => {
        buffer(response).then(
          (body) => resolve({ status: response.statusCode, headers: response.headers, body }),
          reject,
        );
      }).on('error', reject);
    });
  }

  it.each([
    ['/', 'text/html; charset=utf-8', '<h1>Start</h1>'],
    ['/index.html?from=mail', 'text/html; charset=utf-8', '<h1>Start</h1>'],
    ['/guide/', 'text/html; charset=utf-8', '<h1>Guide</h1>'],
    ['/data.json', 'application/json', '{}'],
    ['/crm.yaml', 'application/yaml', 'openapi: 3.1.1'],
    ['/guide.md', 'text/markdown; charset=utf-8', '# Guide'],
  ])('serves %s with its file and type', async (path, type, body) => {
    const response = await fetch(server.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(await response.text()).toBe(body);
  });

  it.each([
    '/../secret.txt',
    '/guide/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e%2fsecret.txt',
    '/..%5csecret.txt',
    '//../secret.txt',
    '/index.html%00.txt',
    '/%',
    '/link.txt',
    '/.hidden',
  ])('never leaves its folder: %s', async (path) => {
    const { status, body } = await getRaw(path);
    expect([400, 404]).toContain(status);
    expect(body.toString()).not.toContain('secret');
  });

  it.each(['/nothing.html', '/nothing/', '/guide/nothing'])(
    'serves %s with the page for unknown paths',
    async (path) => {
      const response = await fetch(`${server.url}${path}`);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(await response.text()).toBe('<h1>Not here</h1>');
      const head = await fetch(`${server.url}${path}`, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([404, '']);
    },
  );

  it('serves a page that leads back if there is no site yet', async () => {
    const handle = staticHandler(join(folder, 'no-site'));
    const response = await handle(new Request('http://localhost/'));
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('<a href="/">');
  });

  it.runIf(process.platform === 'linux')(
    'leaves no file open if the client disconnects before the response',
    async () => {
      const handle = staticHandler(join(folder, 'site'));
      for (const encoding of ['gzip', 'identity']) {
        await handle(new Request('http://localhost/long.html', { headers: { 'accept-encoding': encoding } }));
      }
      await vi.waitFor(() => expect(openFiles(folder)).toEqual([]), 15_000);
    },
  );

  it('serves HEAD with only the headers', async () => {
    const response = await fetch(server.url, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '14', '']);
  });

  it('rejects other methods, and lists the allowed ones', async () => {
    const response = await fetch(server.url, { method: 'POST', body: 'x' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('lets a browser check whether a page changed', async () => {
    const first = await fetch(server.url);
    const tag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const second = await fetch(server.url, { headers: { 'if-none-match': tag } });
    expect([second.status, second.headers.get('cache-control'), await second.text()]).toEqual([304, 'no-cache', '']);
    await writeFile(join(folder, 'site', 'changing.html'), 'before');
    const before = (await fetch(`${server.url}/changing.html`)).headers.get('etag') ?? '';
    await writeFile(join(folder, 'site', 'changing.html'), 'after it changed');
    const after = await fetch(`${server.url}/changing.html`, { headers: { 'if-none-match': before } });
    expect([after.status, await after.text()]).toEqual([200, 'after it changed']);
  });

  it.each([
    ['/_astro/page.Dx12.js', 'public, max-age=31536000, immutable'],
    ['/data.json', 'no-cache'],
  ])('lets a browser cache %s for as long as its name is valid', async (path, expected) => {
    expect((await fetch(server.url + path)).headers.get('cache-control')).toBe(expected);
  });

  it('forbids caching an unknown path', async () => {
    expect((await fetch(`${server.url}/_astro/old.js`)).headers.get('cache-control')).toBe('no-cache');
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('compresses with %s for a client that accepts it', async (encoding, decompress) => {
    const { headers, body } = await getRaw('/long.html', { 'accept-encoding': encoding });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers.vary?.toLowerCase()).toContain('accept-encoding');
    expect(body.length).toBeLessThan(long.length / 20);
    expect(decompress(body).toString()).toBe(long);
    const { status } = await getRaw('/long.html', {
      'accept-encoding': encoding,
      'if-none-match': String(headers.etag),
    });
    expect(status).toBe(304);
  });

  it.each(['identity', 'br;q=0, gzip;q=0'])(
    'sends a page uncompressed to a client that accepts %s',
    async (accepted) => {
      const { headers, body } = await getRaw('/long.html', { 'accept-encoding': accepted });
      expect([headers['content-encoding'], body.toString()]).toEqual([undefined, long]);
    },
  );

  it.each([
    ['bytes=0-3', 206, `bytes 0-3/${long.length}`, long.slice(0, 4)],
    ['bytes=-4', 206, `bytes ${long.length - 4}-${long.length - 1}/${long.length}`, long.slice(-4)],
    ['bytes=99999999-', 416, `bytes */${long.length}`, ''],
  ])('serves a request for %s', async (range, status, contentRange, text) => {
    const response = await getRaw('/long.html', { range, 'accept-encoding': 'br' });
    expect([response.status, response.headers['content-range'], response.body.toString()]).toEqual([
      status,
      contentRange,
      text,
    ]);
  });

  it.each(['/', '/nothing', '/data.json'])(
    'forbids other sites to frame %s, and browsers to guess its type',
    async (path) => {
      const { headers } = await fetch(server.url + path);
      expect(headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    },
  );
});

/** Files in a folder that this process has open. */
function openFiles(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      return [readlinkSync(join('/proc/self/fd', name))].filter((file) => file.startsWith(folder));
    } catch {
      return []; // Closed since it was listed.
    }
  });
}
