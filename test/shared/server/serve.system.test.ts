import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FetchHandler } from '../../../src/shared/server/handler.ts';
import { ListenError } from '../../../src/shared/server/listen-error.ts';
import { type RunningServer, type ServeOptions, serve } from '../../../src/shared/server/serve.ts';

const running: RunningServer[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(running.splice(0).map((server) => server.close()));
});

async function start(fetch: FetchHandler['fetch'], options: Partial<ServeOptions> = {}): Promise<RunningServer> {
  const server = await serve({ fetch }, { port: 0, ...options });
  running.push(server);
  return server;
}

const echo: FetchHandler['fetch'] = async (request) => new Response(`${request.method} ${await request.text()}`);
/** An event that a test waits for. */
function event(): { fire: () => void; fired: Promise<void> } {
  let fire = () => {};
  const fired = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { fire, fired };
}

/** How long a server waits for open requests when it closes. */
const graceMilliseconds = 1_000;

const deadline = () => AbortSignal.timeout(10_000);

describe('serve', () => {
  it('listens on loopback only, and prints its address without a trailing slash', async () => {
    const { url } = await start(echo);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const response = await fetch(url, { method: 'POST', body: 'hello', signal: deadline() });
    expect(await response.text()).toBe('POST hello');
  });

  it('prints a reachable address if it listens on all of them', async () => {
    const { url } = await start(echo, { host: '0.0.0.0' });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('passes a Request that can be cloned and wrapped', async () => {
    const { url } = await start(async (request) => {
      const wrapped = new Request(request.clone(), { headers: { 'x-added': '1' } });
      return Response.json([await request.text(), await wrapped.text(), request instanceof Request]);
    });
    const response = await fetch(url, { method: 'POST', body: 'hello', signal: deadline() });
    expect(await response.json()).toEqual(['hello', 'hello', true]);
  });

  it('tells the handler when the caller disconnects', async () => {
    const gone = event();
    const arrived = event();
    const { url } = await start(async (request) => {
      request.signal.addEventListener('abort', () => gone.fire());
      arrived.fire();
      await gone.fired;
      return new Response();
    });
    const caller = new AbortController();
    const call = fetch(url, { signal: caller.signal });
    await arrived.fired;
    caller.abort();
    await expect(call).rejects.toThrow();
    await gone.fired;
  });
});

describe('a port that is not available', () => {
  it('is a ListenError that names the port and the option', async () => {
    const { url } = await start(echo);
    const { port } = new URL(url);
    const second = serve({ fetch: echo }, { port: Number(port) });
    await expect(second).rejects.toThrow(ListenError);
    await expect(second).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`);
    await expect(second).rejects.toThrow('--port');
  });

  it('is a ListenError that names --host if the address is invalid', async () => {
    // 192.0.2.1 is reserved for documentation (RFC 5737), so no machine has it.
    for (const host of ['192.0.2.1', 'no-such-host.invalid']) {
      const attempt = serve({ fetch: echo }, { port: 0, host });
      await expect(attempt).rejects.toThrow(ListenError);
      await expect(attempt).rejects.toThrow('--host');
    }
  });
});

describe('a request that cannot be handled', () => {
  it('gets 413 if its body is too large, with or without a length', async () => {
    const { url } = await start(echo, { maxBodySize: 10 });
    for (const body of ['x'.repeat(11), new Blob(['x'.repeat(11)]).stream()]) {
      const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half', signal: deadline() };
      const response = await fetch(url, init);
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([413, '*']);
      expect(await response.json()).toMatchObject({ detail: expect.stringContaining('10 bytes') });
    }
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(10), signal: deadline() })).status).toBe(200);
  });

  it('gets 500 in JSON if the handler throws, without a stack trace', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const { url } = await start(() => {
      throw new Error('out of bells');
    });
    const response = await fetch(`${url}/deals?token=hidden`, { signal: deadline() });
    const text = await response.text();
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([500, '*']);
    expect(text).toContain('out of bells');
    expect(text).not.toContain('.ts');
    expect(log.mock.calls).toEqual([['GET /deals failed: out of bells']]);
  });
});

describe('a page of another origin', () => {
  it('may send the headers it requests, including Authorization, without a token in the preflight', async () => {
    const { url } = await start(() => new Response(null, { status: 401 }));
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example.com',
        'access-control-request-method': 'DELETE',
        'access-control-request-headers': 'authorization,content-type',
      },
      signal: deadline(),
    });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'DELETE',
      'access-control-allow-headers': 'authorization,content-type',
    });
  });

  it('may read every response and its headers', async () => {
    const { url } = await start(() => new Response('no', { status: 404 }));
    const response = await fetch(url, { headers: { origin: 'null' }, signal: deadline() });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toBe('*');
  });
});

describe('close', () => {
  it('lets an open request finish, although connections are kept alive', async () => {
    const arrived = event();
    const release = event();
    const server = await start(async () => {
      arrived.fire();
      await release.fired;
      return new Response('done');
    });
    const call = fetch(server.url, { signal: deadline() });
    await arrived.fired;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const closed = server.close();
    release.fire();
    expect(await (await call).text()).toBe('done');
    await vi.advanceTimersByTimeAsync(graceMilliseconds);
    await closed;
    await expect(fetch(server.url, { signal: deadline() })).rejects.toThrow();
  });

  it('aborts a request that does not finish', async () => {
    const arrived = event();
    const server = await start(() => {
      arrived.fire();
      return new Promise<Response>(() => {});
    });
    const lost = expect(fetch(server.url, { signal: deadline() })).rejects.toThrow();
    await arrived.fired;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const closed = server.close();
    await vi.advanceTimersByTimeAsync(graceMilliseconds);
    await Promise.all([closed, lost]);
  });

  it('may be called twice', async () => {
    const server = await start(echo);
    await Promise.all([server.close(), server.close()]);
  });
});
