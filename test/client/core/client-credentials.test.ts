import { setImmediate } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { type ClientCredentialsSource, shareToken } from '../../../src/client/core/client-credentials.ts';
import { TokenError } from '../../../src/client/core/errors/local-errors.ts';
import type { StoredToken } from '../../../src/client/core/token-store.ts';
import { countTimers, watchTimers } from '../outcomes/model/timers.ts';
import { watchProcess } from '../outcomes/support.ts';

const hour = 3_600_000;
/** A source with its own clock that issues `token-1`, `token-2`, … with a life of an hour. */
function setUp(overrides: Partial<ClientCredentialsSource> = {}) {
  const clock = { now: 1_000_000 };
  let issued = 0;
  const request = vi.fn(async (): Promise<StoredToken> => {
    issued += 1;
    return { accessToken: `token-${issued}`, issuedAt: clock.now, expiresAt: clock.now + hour };
  });
  const warn = vi.fn();
  const source: ClientCredentialsSource = {
    request,
    store: undefined,
    storeKey: () => 'key',
    logger: { warn },
    now: () => clock.now,
    elapsed: () => clock.now,
    random: () => 0,
    ...overrides,
  };
  return { clock, request, warn, credentials: shareToken(source) };
}

const mapStore = (entries: [string, unknown][] = []) => {
  const map = new Map(entries);
  return {
    map,
    get: async (key: string) => map.get(key),
    set: async (key: string, value: unknown) => map.set(key, value),
    delete: async (key: string) => map.delete(key),
  };
};

test('concurrent calls share one token request', async () => {
  const { credentials, request } = setUp();
  const tokens = await Promise.all(Array.from({ length: 100 }, () => credentials.token()));
  expect(new Set(tokens)).toEqual(new Set(['token-1']));
  expect(request).toHaveBeenCalledTimes(1);
});

test.each([
  [0, 0.95],
  [1, 0.8],
])('with a random value of %d, renews the token from %d of its life on, not before', async (random, part) => {
  const { clock, credentials, request } = setUp({ random: () => random });
  await credentials.token();
  const start = clock.now;
  clock.now = start + hour * part - 1;
  expect(await credentials.token()).toBe('token-1');
  clock.now = start + hour * part;
  expect(await credentials.token()).toBe('token-1');
  await setImmediate();
  expect(await credentials.token()).toBe('token-2');
  expect(request).toHaveBeenCalledTimes(2);
});

test('replaces a rejected token once for all calls that used it', async () => {
  const { credentials, request } = setUp();
  await credentials.token();
  const tokens = await Promise.all(Array.from({ length: 10 }, () => credentials.replace('token-1')));
  expect(new Set(tokens)).toEqual(new Set(['token-2']));
  expect(await credentials.replace('token-1')).toBe('token-2');
  expect(request).toHaveBeenCalledTimes(2);
});

test('a renewal that fails while the old token lives causes a warning, but fails no call', async () => {
  const { clock, credentials, request, warn } = setUp();
  await credentials.token();
  clock.now += hour * 0.96;
  request.mockRejectedValueOnce(new TokenError('down', 503));
  expect(await credentials.token()).toBe('token-1');
  await setImmediate();
  expect(warn.mock.calls).toEqual([
    ['carillon: could not renew the access token; calls use the old token until it expires'],
  ]);
  clock.now += 9_999;
  await credentials.token();
  expect(request).toHaveBeenCalledTimes(2);
  clock.now += 1;
  await credentials.token();
  await setImmediate();
  expect(await credentials.token()).toBe('token-2');
});

test("after the old token's end, a failed renewal is a TokenError, and the next call tries again", async () => {
  const { clock, credentials, request } = setUp();
  await credentials.token();
  clock.now += hour;
  request.mockRejectedValueOnce(new TokenError('down', 503));
  await expect(credentials.token()).rejects.toMatchObject({ name: 'TokenError', status: 503, sent: 'no' });
  expect(await credentials.token()).toBe('token-2');
});

test('uses a live token in the store instead of requesting one', async () => {
  const store = mapStore([['key', { accessToken: 'shared', issuedAt: 1_000_000, expiresAt: 1_000_000 + hour }]]);
  const { credentials, request } = setUp({ store });
  expect(await credentials.token()).toBe('shared');
  expect(request).not.toHaveBeenCalled();
});

test('stores a new token for the rest of its life', async () => {
  const store = { ...mapStore(), set: vi.fn() };
  const { credentials } = setUp({ store });
  await credentials.token();
  expect(store.set).toHaveBeenCalledWith('key', expect.objectContaining({ accessToken: 'token-1' }), hour);
});

test('drops a rejected token only if the store still holds it', async () => {
  const rejected = { accessToken: 'refused', issuedAt: 1_000_000, expiresAt: 1_000_000 + hour };
  const store = { ...mapStore([['key', rejected]]), delete: vi.fn() };
  const { credentials } = setUp({ store });
  expect(await credentials.token()).toBe('refused');
  expect(await credentials.replace('refused')).toBe('token-1');
  expect(store.delete).toHaveBeenCalledTimes(1);

  store.map.set('key', { ...rejected, accessToken: 'newer' });
  expect(await credentials.replace('token-1')).toBe('newer');
  expect(store.delete).toHaveBeenCalledTimes(1);
});

test.each([
  null,
  'text',
  {},
  { accessToken: 'a\r\nb', issuedAt: 0, expiresAt: 9e15 },
  { accessToken: 'a', issuedAt: 'x', expiresAt: 'y' },
])('ignores an invalid token in the store (%j)', async (value) => {
  const { credentials } = setUp({ store: mapStore([['key', value]]) });
  expect(await credentials.token()).toBe('token-1');
});

test('an unreachable store causes warnings without its address, but fails no call', async () => {
  const fail = async (): Promise<never> => {
    throw new Error('connect redis://:hunter2@host');
  };
  const { credentials, warn } = setUp({ store: { get: fail, set: fail, delete: fail } });
  expect(await credentials.token()).toBe('token-1');
  expect(warn).toHaveBeenCalled();
  expect(JSON.stringify(warn.mock.calls)).not.toContain('hunter2');
});

test.each([
  ['ends now', 0],
  ['has ended', -1],
])('does not use a stored token whose life %s', async (_, left) => {
  const stored = { accessToken: 'stored', issuedAt: 1_000_000 - hour, expiresAt: 1_000_000 + left };
  const { credentials } = setUp({ store: mapStore([['key', stored]]) });
  expect(await credentials.token()).toBe('token-1');
});

/** Requests that the test answers, in any order. */
function answeredLater(overrides: Partial<ClientCredentialsSource> = {}) {
  const answers: { resolve(token: StoredToken): void; reject(reason: Error): void }[] = [];
  const request = vi.fn(() => new Promise<StoredToken>((resolve, reject) => answers.push({ resolve, reject })));
  const issue = (accessToken: string) => ({ accessToken, issuedAt: 1_000_000, expiresAt: 1_000_000 + hour });
  return { answers, issue, ...setUp({ request, ...overrides }), request };
}

/** Two calls, of which the second gives up the renewal of the first and starts another one. */
async function overlap(overrides: Partial<ClientCredentialsSource> = {}) {
  const source = answeredLater(overrides);
  const first = source.credentials.token();
  await setImmediate();
  source.clock.now += 40_001;
  const second = source.credentials.token();
  await setImmediate();
  return { ...source, first, second };
}

describe('a renewal that takes so long that the next call starts another one', () => {
  test('does not replace the newer token, in memory or in the store, when it answers at last', async () => {
    const store = mapStore();
    const { answers, issue, credentials, first, second } = await overlap({ store });
    answers[1]?.resolve(issue('second'));
    expect(await second).toBe('second');
    // Services may reject a token as soon as they have issued another one.
    answers[0]?.resolve(issue('first'));
    expect(await first).toBe('second');
    expect(await credentials.token()).toBe('second');
    expect(store.map.get('key')).toMatchObject({ accessToken: 'second' });
  });

  test('gives its token to all calls that wait if it answers first', async () => {
    const { answers, issue, credentials, first, second } = await overlap();
    answers[0]?.resolve(issue('first'));
    expect(await first).toBe('first');
    answers[1]?.resolve(issue('second'));
    expect(await second).toBe('second');
    expect(await credentials.token()).toBe('second');
  });

  test('does not start a third one when it fails', async () => {
    const { answers, issue, credentials, request, first, second } = await overlap();
    answers[0]?.reject(new TokenError('down', 503));
    await expect(first).rejects.toThrow('down');
    const third = credentials.token();
    answers[1]?.resolve(issue('second'));
    expect(await Promise.all([second, third])).toEqual(['second', 'second']);
    expect(request).toHaveBeenCalledTimes(2);
  });
});

test('a renewal in the background that fails after the end of the old token causes no unhandled rejection', async () => {
  const { problems, settled } = watchProcess();
  const { answers, issue, clock, credentials } = answeredLater();
  const first = credentials.token();
  await setImmediate();
  answers[0]?.resolve(issue('first'));
  await first;
  clock.now += hour * 0.96;
  expect(await credentials.token()).toBe('first');
  await setImmediate();
  clock.now += hour;
  answers[1]?.reject(new TokenError('down', 503));
  await settled();
  expect(problems).toEqual([]);
});

test('a rejection during a renewal that then finds the rejected token in the store replaces it', async () => {
  const shared = { accessToken: 'shared', issuedAt: 1_000_000, expiresAt: 1_000_000 + hour };
  const store = mapStore([['key', shared]]);
  const { clock, credentials } = setUp({ store });
  expect(await credentials.token()).toBe('shared');
  clock.now += hour * 0.96;
  const background = credentials.token();
  expect(await Promise.all([background, credentials.replace('shared')])).toEqual(['shared', 'token-1']);
  await setImmediate();
  expect(store.map.get('key')).toMatchObject({ accessToken: 'token-1' });
});

test('calls with the same rejected token share one request, even if the service issues that token again', async () => {
  const { clock, credentials, request } = setUp();
  await credentials.token();
  request.mockResolvedValue({ accessToken: 'token-1', issuedAt: clock.now, expiresAt: clock.now + hour });
  const calls = [credentials.replace('token-1'), credentials.replace('token-1')];
  // Neither goes again.
  expect(await Promise.all(calls)).toEqual([undefined, undefined]);
  expect(request).toHaveBeenCalledTimes(2);
});

describe('a store', () => {
  const slow = (milliseconds: number) => () => new Promise((resolve) => setTimeout(resolve, milliseconds));

  test.each([
    ['read in 500 ms', { get: slow(499) }, { get: slow(501) }, 'read from the token store within 500 ms'],
    ['write in 2 s', { set: slow(1_999) }, { set: slow(2_001) }, 'write to the token store within 2000 ms'],
  ])('has to %s, and causes a warning if it is slower', async (_, fast, late, message) => {
    vi.useFakeTimers();
    const warnings = async (part: object) => {
      const { credentials, warn } = setUp({ store: { ...mapStore(), ...part } });
      const token = credentials.token();
      await vi.advanceTimersByTimeAsync(3_000);
      expect(await token).toBe('token-1');
      return warn.mock.calls;
    };
    expect(await warnings(fast)).toEqual([]);
    expect(await warnings(late)).toEqual([[expect.stringContaining(`carillon: could not ${message}: `)]]);
  });

  test('that has answered leaves no timer, which would keep a program running', async () => {
    vi.useFakeTimers();
    watchTimers();
    const { credentials } = setUp({ store: mapStore() });
    await credentials.token();
    await vi.advanceTimersByTimeAsync(0);
    expect(countTimers()).toBe(0);
  });
});

test('gives up a store that never answers after a time limit', async () => {
  vi.useFakeTimers();
  try {
    const never = () => new Promise<never>(() => undefined);
    const { credentials } = setUp({ store: { get: never, set: never, delete: never } });
    const token = credentials.token();
    await vi.advanceTimersByTimeAsync(4_000);
    expect(await token).toBe('token-1');
  } finally {
    vi.useRealTimers();
  }
});
