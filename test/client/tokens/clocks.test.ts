import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { shareToken } from '../../../src/client/core/client-credentials.ts';
import type { StoredToken } from '../../../src/client/core/token-store.ts';

const minute = 60_000;
const life = 60 * minute;
const start = 1_000_000_000_000;

/** Machines over one store. Each has its own clock. `passed` is the real time. */
function setUp() {
  const world = { passed: 0, issued: 0 };
  const map = new Map<string, unknown>();
  const machine = (ahead: number, random = () => 0) => {
    const now = () => start + world.passed + ahead;
    const warn = vi.fn();
    const request = vi.fn(async (): Promise<StoredToken> => {
      world.issued += 1;
      return { accessToken: `token-${world.issued}`, issuedAt: now(), expiresAt: now() + life };
    });
    const store = { get: (key: string) => map.get(key), set: map.set.bind(map), delete: map.delete.bind(map) };
    const source = {
      request,
      store,
      storeKey: () => 'key',
      logger: { warn },
      now,
      elapsed: () => world.passed,
      random,
    };
    const credentials = shareToken(source);
    /** Returns the token that calls use after a background renewal, if one is due, has ended. */
    const token = async (rejected?: string): Promise<string> => {
      await (rejected === undefined ? credentials.token() : credentials.replace(rejected));
      await credentials.token();
      await setImmediate();
      return credentials.token();
    };
    return { request, warn, token };
  };
  return { world, map, machine };
}

test.each([
  ['a minute', minute],
  ['a day', 24 * life],
])('a machine whose clock is %s ahead renews its token before it really ends', async (_, ahead) => {
  const { world, machine } = setUp();
  await machine(ahead).token();
  const reader = machine(0);
  expect(await reader.token()).toBe('token-1');
  world.passed = life * 0.95 - 1;
  expect(await reader.token()).toBe('token-1');
  world.passed = life * 0.95;
  expect(await reader.token()).toBe('token-2');
});

test("a machine whose clock is off by part of a life uses another's token, at most for a shorter time", async () => {
  const { world, machine } = setUp();
  await machine(0).token();
  const [behind, ahead] = [machine(-10 * minute), machine(10 * minute)];
  expect([await behind.token(), await ahead.token()]).toEqual(['token-1', 'token-1']);
  world.passed = life * 0.95 - 10 * minute;
  expect([await behind.token(), await ahead.token()]).toEqual(['token-1', 'token-2']);
  world.passed = life * 0.95;
  expect(await behind.token()).toBe('token-2');
});

test('a machine whose clock is ahead by more than a life requests one token per life, and does not disturb others', async () => {
  const { world, machine } = setUp();
  const [right, wrong] = [machine(0), machine(2 * life)];
  await right.token();
  for (world.passed = 0; world.passed < 10 * life; world.passed += minute) {
    await right.token();
    await wrong.token();
  }
  expect(wrong.request.mock.calls.length).toBeLessThanOrEqual(11);
  expect(world.issued).toBeLessThanOrEqual(22);
});

test.each([
  ['ends before it begins', start, start - 1],
  ['has no life', start, start],
  ['ended', start - life, start - 1],
  ['comes from the future and has no life', start + life, start + life],
])('does not use a stored token that %s', async (_, issuedAt, expiresAt) => {
  const { map, machine } = setUp();
  map.set('key', { accessToken: 'stored', issuedAt, expiresAt });
  expect(await machine(0).token()).toBe('token-1');
});

test('replaces a stored token with endless life once it is refused', async () => {
  const { map, machine } = setUp();
  map.set('key', { accessToken: 'stored', issuedAt: start, expiresAt: Number.MAX_SAFE_INTEGER });
  const { token } = machine(0);
  expect(await token()).toBe('stored');
  expect(await token('stored')).toBe('token-1');
  expect(map.get('key')).toMatchObject({ accessToken: 'token-1' });
});

test('a process that starts when renewal is due keeps the stored token if the service returns no new one', async () => {
  const { world, machine } = setUp();
  await machine(0).token();
  world.passed = life * 0.96;
  const late = machine(0);
  late.request.mockRejectedValue(new Error('down'));
  expect(await late.token()).toBe('token-1');
  expect(late.warn).toHaveBeenCalledTimes(1);
});

test('retries a failed renewal when the old token ends, if that is sooner than the pause', async () => {
  const { world, machine } = setUp();
  const { token, request } = machine(0);
  await token();
  world.passed = life - 1;
  request.mockRejectedValueOnce(new Error('down'));
  expect(await token()).toBe('token-1');
  world.passed = life;
  expect(await token()).toBe('token-2');
});

test('does not postpone a due renewal if the store holds the same token', async () => {
  const { world, machine } = setUp();
  const draws = [1, 0];
  const { token, request } = machine(0, () => draws.shift() ?? 0);
  await token();
  world.passed = life * 0.8;
  await token();
  expect(request).toHaveBeenCalledTimes(2);
});

test('many processes that renew at random times request about one token per life', async () => {
  const { world, machine } = setUp();
  const machines = Array.from({ length: 30 }, (_, index) => machine(0, () => index / 30));
  for (world.passed = 0; world.passed < 10 * life; world.passed += minute) {
    for (const { token } of machines) await token();
  }
  expect(world.issued).toBe(13);
});

test.each([
  ['a part of a millisecond is cut off', 1_500.7, [1_500]],
  ['less than a millisecond is not stored, since Keyv would keep it for ever', 0.5, []],
  ['a token that ended under way is not stored', -5, []],
])('%s', async (_, remaining, expected) => {
  const set = vi.fn();
  const credentials = shareToken({
    request: async () => ({ accessToken: 'token', issuedAt: start - life, expiresAt: start + remaining }),
    store: { get: () => undefined, set, delete: () => undefined },
    storeKey: () => 'key',
    logger: { warn: () => undefined },
    now: () => start,
    elapsed: () => 0,
    random: () => 0,
  });
  expect(await credentials.token()).toBe('token');
  expect(set.mock.calls.map(([, , timeToLive]) => timeToLive)).toEqual(expected);
});
