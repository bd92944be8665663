import KeyvRedis from '@keyv/redis';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { isNightly } from '../../support/amounts.ts';
import { missingRedis, type RedisServer, startRedis } from './redis-server.ts';
import { lifetime, startTokenApi, type TokenApi } from './token-api.ts';
import { runAll, startWorkers, type Worker } from './workers.ts';

if (missingRedis) console.warn(`Shared tokens are not tested with Redis: ${missingRedis}`);

const processes = isNightly ? 8 : 5;
/** Share of a token's life that passes between two calls. */
const step = isNightly ? 0.01 : 0.03;
const clean = { failures: [], warnings: [] };
/** Renewal is due between 80 % and 95 % of a token's life. */
const due = lifetime * 1000 * 0.951;

describe.skipIf(missingRedis)(`tokens of ${processes} processes over one Redis`, { timeout: 120_000 }, () => {
  let workers: Worker[] = [];
  let shared: RedisServer;

  beforeAll(async () => {
    workers = startWorkers(processes);
    shared = await startRedis();
  });
  afterAll(() => Promise.all([shared?.kill(), ...workers.map((worker) => worker.end())]));

  /** A service with a new address, so that the store has no token for it. */
  async function startCold(redis = shared): Promise<TokenApi> {
    const api = await startTokenApi();
    expect(await runAll(workers, { connect: { baseUrl: api.url, redisUrl: redis.url } })).toEqual(clean);
    return api;
  }

  /** Gives all processes the first token. */
  async function startWarm(redis = shared): Promise<TokenApi> {
    const api = await startCold(redis);
    for (const worker of workers) expect(await worker.run({ calls: 1, settle: true })).toEqual(clean);
    expect(api.issued).toEqual(['token-1']);
    return api;
  }

  /** A Redis for one test, which may damage it. */
  async function startOwnRedis(): Promise<RedisServer> {
    const redis = await startRedis();
    onTestFinished(() => redis.kill());
    return redis;
  }

  test('from a cold start, each process requests at most one token, however many calls it makes', async () => {
    const api = await startCold();
    // The worst case: no process has its answer before the last one has asked.
    api.gather(processes);
    expect(await runAll(workers, { calls: 10 })).toEqual(clean);
    expect(api.issued).toHaveLength(processes);
  });

  test('a process that starts later requests no token', async () => {
    const api = await startWarm();
    const connect = { baseUrl: api.url, redisUrl: shared.url };
    expect(await runAll(workers, { connect, calls: 10 })).toEqual(clean);
    expect(api.issued).toHaveLength(1);
  });

  test('a process reads the store again before it renews, so the first renews for all', async () => {
    const api = await startWarm();
    for (const worker of workers) {
      expect(await worker.run({ advance: due, calls: 5, settle: true })).toEqual(clean);
      expect(api.issued).toHaveLength(2);
    }
    expect(api.rejections()).toBe(0);
  });

  test('no call fails or is rejected while processes renew at random times', async () => {
    const api = await startWarm();
    const advance = step * lifetime * 1000;
    for (let lives = 0; lives < 3.2; lives += step) {
      expect((await runAll(workers, { advance, calls: 1 })).failures).toEqual([]);
      api.advance(advance);
    }
    expect(api.rejections()).toBe(0);
    // Every token lives until at least 80 % of its life, and each process requests its successor at most once.
    expect(api.issued.length).toBeGreaterThan(3);
    expect(api.issued.length).toBeLessThanOrEqual(1 + 4 * processes);
  });

  test('no call fails if all processes renew at the same moment', async () => {
    const api = await startWarm();
    api.gather(processes);
    // Processes renew in the background, so calls can end first.
    const { failures } = await runAll(workers, { advance: due, calls: 10, settle: true });
    expect(failures).toEqual([]);
    expect(api.issued).toHaveLength(1 + processes);
    expect(api.rejections()).toBe(0);
  });

  test('no call fails if the service returns no new token, because the old one is used while it lives', async () => {
    const api = await startWarm();
    api.hang();
    expect(await runAll(workers, { advance: due, calls: 5 })).toEqual(clean);
    expect(api.issued).toHaveLength(1);
  });

  test('drops a rejected token only if the store still holds it, so that other processes find its successor', async () => {
    const api = await startWarm();
    api.reject('token-1');
    for (const worker of workers) {
      expect(await worker.run({ calls: 1, settle: true })).toEqual(clean);
      expect(api.issued).toEqual(['token-1', 'token-2']);
    }
    // Each process was rejected once, and removed no token from the store after the first.
    expect(api.rejections()).toBe(processes);
    expect(await lookUp(api)).toMatchObject({ text: expect.stringContaining('token-2') });
  });

  test('no call fails if a token is rejected to all processes at once', async () => {
    const api = await startWarm();
    api.reject('token-1');
    expect(await runAll(workers, { calls: 10 })).toEqual(clean);
    expect(api.issued.length).toBeLessThanOrEqual(1 + processes);
  });

  test('a token is in the store for the rest of its life', async () => {
    const api = await startWarm();
    const { text, timeToLive } = await lookUp(api);
    expect(text).toContain('token-1');
    expect(timeToLive).toBeLessThanOrEqual(lifetime * 1000);
    expect(timeToLive).toBeGreaterThan(lifetime * 1000 * 0.9);
  });

  test('a Redis that ends causes warnings without its address, and fails no call', async () => {
    const redis = await startOwnRedis();
    const api = await startWarm(redis);
    await redis.kill();
    expect(await runAll(workers, { calls: 5 })).toEqual(clean);
    const { failures, warnings } = await runAll(workers, { advance: due, calls: 5 });
    expect(failures).toEqual([]);
    // The old token serves the calls while these fail in the background.
    await vi.waitFor(() => expect(api.issued).toHaveLength(1 + processes), 20_000);
    warnings.push(...(await runAll(workers, { calls: 1 })).warnings);
    expect(warnings.filter((warning) => warning.includes('read from the token store'))).toHaveLength(processes);
    expect(warnings.join()).not.toContain(redis.password);
    expect(warnings.join()).not.toContain('127.0.0.1');
  });

  test('a Redis that does not answer causes warnings, and fails no call, even after a rejected token', async () => {
    const redis = await startOwnRedis();
    const api = await startWarm(redis);
    redis.pause();
    api.reject('token-1');
    const { failures, warnings } = await runAll(workers, { calls: 5 });
    expect(failures).toEqual([]);
    expect(warnings).not.toEqual([]);
    expect(api.issued).toHaveLength(1 + processes);
  });

  test('a Redis that is unreachable from the start causes warnings, and fails no call', async () => {
    const redis = await startOwnRedis();
    await redis.kill();
    const api = await startCold(redis);
    const { failures, warnings } = await runAll(workers, { calls: 5 });
    expect(failures).toEqual([]);
    expect(warnings).not.toEqual([]);
    expect(api.issued).toHaveLength(processes);
  });

  /** Reads Redis's own data for a service. */
  async function lookUp(api: TokenApi): Promise<{ text: string | undefined; timeToLive: number }> {
    const adapter = new KeyvRedis<string>(shared.url, { noNamespaceAffectsAll: true });
    onTestFinished(() => adapter.disconnect());
    for await (const [key, text] of adapter.iterator()) {
      if (key.includes(api.url)) return { text, timeToLive: Number(await adapter.client.pTTL(key)) };
    }
    throw new Error('The store holds no token');
  }
});
