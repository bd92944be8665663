import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { staticHandler } from '../../../scripts/serve/start/static-files.ts';
import { type RunningServer, serve } from '../../../src/shared/server/serve.ts';

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
    await writeFile(join(site, '.hidden'), 'secret');
    await symlink(join(folder, 'secret.txt'), join(site, 'link.txt'));
    server = await serve({ fetch: staticHandler(site) }, { port: 0 });
  });
  afterAll(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Sends the path unchanged; `fetch` would tidy it first. */
  async function getRaw(path: string): Promise<{ status: number | undefined; body: string }> {
    const { hostname, port } = new URL(server.url);
    return new Promise((resolve, reject) => {
      get({ hostname, port, path, timeout: 5000 }, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
      }).on('error', reject);
    });
  }

  it.each([
    ['/', 'text/html; charset=utf-8', '<h1>Start</h1>'],
    ['/index.html?from=mail', 'text/html; charset=utf-8', '<h1>Start</h1>'],
    ['/guide/', 'text/html; charset=utf-8', '<h1>Guide</h1>'],
    ['/data.json', 'application/json', '{}'],
  ])('answers %s with its file and type', async (path, type, body) => {
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
    expect(body).not.toContain('secret');
  });

  it('answers what it has not with a page that leads back', async () => {
    const response = await fetch(`${server.url}/nothing.html`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toContain('<a href="/">');
  });

  it('answers HEAD with the headers alone', async () => {
    const response = await fetch(server.url, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '14', '']);
  });

  it('refuses other methods, and says which it takes', async () => {
    const response = await fetch(server.url, { method: 'POST', body: 'x' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('lets a browser ask whether a page changed', async () => {
    const first = await fetch(server.url);
    const tag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('max-age=0');
    expect((await fetch(server.url, { headers: { 'if-none-match': tag } })).status).toBe(304);
  });
});
