import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { maxYouth } from '../../../src/client/core/client-credentials.ts';
import { createClient } from '../../../src/client/index.ts';
import { silent } from '../outcomes/support.ts';
import {
  hour,
  mapStore,
  never,
  type Outcome,
  outcomeOf,
  refused,
  serve,
  settle,
  spreadsIn,
  times,
  unauthorized,
} from './spreading-service.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a new token that the service refuses for 500 ms', () => {
  test('fails none of the calls that are made every 100 ms, and is requested once', async () => {
    const { api, issued, seen } = serve(spreadsIn(500));
    const calls: Promise<Outcome>[] = [];
    for (let call = 0; call < 30; call += 1) {
      calls.push(outcomeOf(api.crm.users.list()));
      await vi.advanceTimersByTimeAsync(100);
    }
    expect((await settle(Promise.all(calls))).filter(({ error }) => error)).toEqual([]);
    expect(issued).toHaveLength(1);
    // The first call, and its next request. All other calls waited.
    expect(times(refused(seen))).toEqual([0, 200]);
  });

  test('fails none of 20 concurrent calls, of which one finds out when it is accepted', async () => {
    const { issued, seen, list } = serve(spreadsIn(500));
    const outcomes = await settle(Promise.all(Array.from({ length: 20 }, () => list())));
    expect(outcomes).toEqual(Array(20).fill({ took: 700 }));
    expect(times(refused(seen))).toEqual([...Array(20).fill(0), 200]);
    expect(issued).toHaveLength(1);
  });

  test('is sent by all waiting calls together once it is accepted', async () => {
    const { list } = serve(({ age }) => new Promise((resolve) => setTimeout(resolve, 50, age >= 100)));
    const leading = list();
    await vi.advanceTimersByTimeAsync(100);
    const others = Promise.all([list(), list()]);
    expect(await settle(leading)).toEqual({ took: 300 });
    expect(await settle(others)).toEqual([{ took: 250 }, { took: 250 }]);
  });

  test('is sent again with the same body, once, by a call that creates', async () => {
    const { api, seen } = serve(spreadsIn(100));
    expect(await settle(outcomeOf(api.crm.boards.create({ name: 'Tasks' })))).toEqual({ took: 200 });
    expect(times(seen)).toEqual([0, 200]);
  });
});

describe('a token that is refused for longer', () => {
  test.each([
    ['without a store', () => undefined],
    ['if the store has only that one', mapStore],
  ])('is sent again after 0.2, 0.5 and 1 s, and then fails the call without a renewal, %s', async (_, createStore) => {
    const { issued, seen, list } = serve(never, { tokenStore: createStore() });
    expect(await settle(list())).toMatchObject({ error: { ...unauthorized, attempts: 4 }, took: 1_700 });
    expect(times(seen)).toEqual([0, 200, 700, 1_700]);
    expect(issued).toHaveLength(1);
  });

  test('costs one round, not one per call, because no call waits for it again', async () => {
    const { issued, seen, list } = serve(never);
    const together = await settle(Promise.all(Array.from({ length: 10 }, () => list())));
    for (const outcome of together) expect(outcome).toMatchObject({ error: unauthorized, took: 1_700 });
    expect(times(seen)).toEqual([...Array(10).fill(0), 200, 700, 1_700]);
    for (let call = 0; call < 10; call += 1)
      expect(await settle(list())).toMatchObject({ error: { ...unauthorized, attempts: 1 }, took: 0 });
    expect(issued).toHaveLength(1);
  });

  test('is replaced once it is old, and its successor gets no second round in the same call', async () => {
    const { issued, seen, list } = serve(never);
    await settle(list());
    await vi.advanceTimersByTimeAsync(maxYouth - 1_700 - 20);
    expect(await settle(list())).toMatchObject({ error: { attempts: 1 } });
    expect(issued).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(20);
    seen.length = 0;
    expect(await settle(list())).toMatchObject({ error: { ...unauthorized, attempts: 2 }, took: 0 });
    expect(seen.map(({ token }) => token)).toEqual(['token-1', 'token-2']);
    expect(issued).toHaveLength(2);
  });

  test('is replaced in the round in which it becomes old', async () => {
    const { issued, seen, list } = serve(({ number, age }) => number === 2 || age < maxYouth - 400);
    await settle(list());
    await vi.advanceTimersByTimeAsync(maxYouth - 300);
    expect(await settle(list())).toEqual({ took: 700 });
    expect(seen.slice(-2).map(({ token }) => token)).toEqual(['token-1', 'token-2']);
    expect(issued).toHaveLength(2);
  });

  test('is replaced if it becomes old while the store is read', async () => {
    const store = mapStore();
    const get = (key: string) => new Promise((resolve) => setTimeout(resolve, 200, store.map.get(key)));
    const refuseLate = () => new Promise<boolean>((resolve) => setTimeout(resolve, 800, false));
    const { seen, list } = serve(({ number }) => number === 2 || refuseLate(), { tokenStore: { ...store, get } });
    // The last refusal comes at 4.9 s.
    expect(await settle(list())).not.toHaveProperty('error');
    expect(seen.map(({ token }) => token)).toEqual([...Array(4).fill('token-1'), 'token-2']);
  });
});

test('a refusal that comes after its token was replaced ends the call if the new token is refused, too', async () => {
  let answerLate = (_: boolean): void => undefined;
  let isLate = false;
  const { seen, list } = serve(({ number }) => {
    if (number !== 1 || !isLate) return number === 1;
    isLate = false;
    return new Promise<boolean>((resolve) => (answerLate = resolve));
  });
  await settle(list());
  await vi.advanceTimersByTimeAsync(0.96 * hour);
  isLate = true;
  const late = list();
  await vi.advanceTimersByTimeAsync(0);
  answerLate(false);
  expect(await settle(late)).toMatchObject({ error: { ...unauthorized, attempts: 2 }, took: 0 });
  expect(seen.slice(-2).map(({ token }) => token)).toEqual(['token-1', 'token-2']);
});

test('an older token is replaced once for all calls, at once', async () => {
  const { issued, list } = serve(({ number, age }) => number === 2 || age < maxYouth);
  await settle(list());
  await vi.advanceTimersByTimeAsync(maxYouth);
  expect(await settle(Promise.all([list(), list(), list()]))).toEqual(Array(3).fill({ took: 0 }));
  expect(issued).toHaveLength(2);
});

test('replicas that flap fail no call within three waits', async () => {
  let count = 0;
  const { issued, list } = serve(({ age }) => {
    count += 1;
    return age >= 1_200 || count % 2 === 0;
  });
  const calls: Promise<Outcome>[] = [];
  for (let call = 0; call < 20; call += 1) {
    calls.push(list());
    await vi.advanceTimersByTimeAsync(100);
  }
  expect((await settle(Promise.all(calls))).filter(({ error }) => error)).toEqual([]);
  expect(issued).toHaveLength(1);
});

test('an operation that is refused with every token holds up no other call, once the token was accepted', async () => {
  const { api, list } = serve(({ path }) => path !== '/crm/v1/pipelines');
  await settle(list());
  const forbidden = outcomeOf(api.crm.pipelines.list());
  await vi.advanceTimersByTimeAsync(50);
  expect(await settle(list())).toEqual({ took: 0 });
  expect(await settle(forbidden)).toMatchObject({ error: { ...unauthorized, attempts: 4 }, took: 1_700 });
});

test('a refusal that arrives after the token was accepted uses up no wait', async () => {
  let answerLate = (_: boolean): void => undefined;
  let count = 0;
  const { seen, list } = serve(({ age }) => {
    count += 1;
    return count === 1 ? new Promise<boolean>((resolve) => (answerLate = resolve)) : age >= 100;
  });
  const late = list();
  await vi.advanceTimersByTimeAsync(0);
  await settle(list());
  answerLate(false);
  expect(await settle(late)).toMatchObject({ took: 200 });
  expect(times(seen)).toEqual([0, 200, 0, 200]);
});

describe('after a background renewal', () => {
  /** A service whose second token is refused as `accepts` says. The first one is accepted until `oldUntil`. */
  async function renew(accepts: (age: number) => boolean, isOldAccepted: () => boolean = () => true) {
    const service = serve(({ number, age }) => (number === 1 ? isOldAccepted() : accepts(age)));
    await settle(service.list());
    await vi.advanceTimersByTimeAsync(0.96 * hour);
    await settle(service.list());
    expect(service.issued).toHaveLength(2);
    service.seen.length = 0;
    return service;
  }

  test('the new token is used', async () => {
    const { seen, list } = await renew(() => true);
    await settle(list());
    expect(seen).toMatchObject([{ token: 'token-2', isRefused: false }]);
  });

  test('the call goes at once with the old token if the new one is refused, and others until that one is old', async () => {
    const { issued, seen, list } = await renew((age) => age >= 500);
    for (let call = 0; call < 60; call += 1) {
      expect(await settle(list())).toEqual({ took: 0 });
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(refused(seen)).toHaveLength(1);
    expect(seen.slice(0, 3).map(({ token }) => token)).toEqual(['token-2', 'token-1', 'token-1']);
    expect(seen.at(-1)).toMatchObject({ token: 'token-2', isRefused: false });
    expect(issued).toHaveLength(2);
  });

  test('calls wait for the new token if the old one is refused, too', async () => {
    let isOldAccepted = true;
    const { issued, seen, list } = await renew(
      (age) => age >= 500,
      () => isOldAccepted,
    );
    isOldAccepted = false;
    expect(await settle(list())).toEqual({ took: 700 });
    expect(seen.map(({ token }) => token)).toEqual(['token-2', 'token-1', 'token-2', 'token-2']);
    expect(issued).toHaveLength(2);
  });

  test('calls that begin with the old token join the round of the new one when the old one is refused', async () => {
    let isOldAccepted = true;
    const { issued, list } = await renew(
      (age) => age >= 500,
      () => isOldAccepted,
    );
    expect(await settle(list())).toEqual({ took: 0 });
    isOldAccepted = false;
    expect(await settle(Promise.all([list(), list()]))).toEqual([{ took: 700 }, { took: 700 }]);
    expect(issued).toHaveLength(2);
  });

  test('the old token is used until it expires', async () => {
    const { issued, seen, list } = serve(({ number, age }) => number === 1 || age >= 2_500);
    await settle(list());
    await vi.advanceTimersByTimeAsync(hour - 1_000);
    // Starts the renewal.
    await settle(list());
    seen.length = 0;
    for (let call = 0; call < 3; call += 1) {
      expect(await settle(list())).not.toHaveProperty('error');
      await vi.advanceTimersByTimeAsync(600);
    }
    expect(seen.map(({ token }) => token)).toEqual(['token-2', 'token-1', 'token-1', ...Array(3).fill('token-2')]);
    expect(seen[2]?.at).toBeLessThan(hour);
    expect(seen[3]?.at).toBeGreaterThanOrEqual(hour);
    expect(issued).toHaveLength(2);
  });
});

describe('a refused old token that is renewed while its successor is young', () => {
  test('is never used again', async () => {
    const { seen, list } = serve(({ number, age }) => (number === 1 ? age < maxYouth : age >= 500));
    await settle(list());
    await vi.advanceTimersByTimeAsync(maxYouth);
    await settle(list());
    seen.length = 0;
    expect(await settle(list())).toEqual({ took: 700 });
    expect(new Set(seen.map(({ token }) => token))).toEqual(new Set(['token-2']));
  });
});

describe('with replayCreates: false', () => {
  test('a call that creates is not sent again after the refusal of a young token, and replaces nothing', async () => {
    const { api, issued, seen } = serve(spreadsIn(500), { replayCreates: false });
    const create = () => settle(outcomeOf(api.crm.boards.create({ name: 'Tasks' })));
    expect(await create()).toMatchObject({ error: { ...unauthorized, attempts: 1 }, took: 0 });
    // The next calls wait before they are sent.
    expect(await create()).toMatchObject({ error: { ...unauthorized, attempts: 1 }, took: 200 });
    expect(await create()).toEqual({ took: 500 });
    expect(times(seen)).toEqual([0, 200, 700]);
    expect(issued).toHaveLength(1);
  });

  test('an older token is replaced for the next call', async () => {
    const { api, issued } = serve(({ number, age }) => number === 2 || age < maxYouth, { replayCreates: false });
    const create = () => settle(outcomeOf(api.crm.boards.create({ name: 'Tasks' })));
    await create();
    await vi.advanceTimersByTimeAsync(maxYouth);
    expect(await create()).toMatchObject({ error: { ...unauthorized, attempts: 1 } });
    expect(await create()).toEqual({ took: 0 });
    expect(issued).toHaveLength(2);
  });
});

describe('the waits are within the deadline of a call', () => {
  test('which fails at once with the 401 if it would end sooner, while others wait', async () => {
    const { seen, list } = serve(spreadsIn(500));
    const [short, long] = await settle(Promise.all([list({ timeout: 600 }), list()]));
    expect(short).toMatchObject({ error: unauthorized });
    expect(short?.took).toBeLessThanOrEqual(200);
    expect(long).toEqual({ took: 700 });
    expect(times(seen).at(-1)).toBe(700);
  });

  test('and which is sent at once if it would end before it could be sent', async () => {
    const { seen, list } = serve(spreadsIn(500));
    const first = list();
    await vi.advanceTimersByTimeAsync(250);
    expect(await settle(list({ timeout: 100 }))).toMatchObject({ error: unauthorized, took: 0 });
    // Its refusal is no news, and uses up no wait.
    expect(await settle(first)).toEqual({ took: 700 });
    expect(times(seen)).toEqual([0, 200, 250, 700]);
  });
});

describe('a call that is aborted', () => {
  test('while it waits ends at once, and the others go on', async () => {
    const controller = new AbortController();
    const { seen, list } = serve(spreadsIn(500));
    const leading = list({ signal: controller.signal });
    await vi.advanceTimersByTimeAsync(0);
    const others = [list(), list()];
    await vi.advanceTimersByTimeAsync(100);
    controller.abort('left');
    expect(await settle(leading)).toEqual({ error: 'left', took: 100 });
    expect(await settle(Promise.all(others))).toEqual([{ took: 700 }, { took: 700 }]);
    expect(times(seen)).toEqual([0, 200, 700, 700]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('while it sends the token lets one other send it at once', async () => {
    const controller = new AbortController();
    let count = 0;
    const { seen, list } = serve(({ age }) => {
      count += 1;
      return count === 2 ? new Promise<boolean>(() => undefined) : age >= 500;
    });
    const leading = list({ signal: controller.signal });
    await vi.advanceTimersByTimeAsync(0);
    const others = Promise.all([list(), list()]);
    await vi.advanceTimersByTimeAsync(250);
    controller.abort('left');
    expect(await settle(leading)).toEqual({ error: 'left', took: 250 });
    expect(await settle(others)).toEqual([{ took: 750 }, { took: 750 }]);
    expect(times(seen)).toEqual([0, 250, 750, 750]);
  });
});

test('a call whose request with the token is not answered makes the others wait for a second at most', async () => {
  let count = 0;
  const { list } = serve(({ age }) => {
    count += 1;
    return count === 2 ? new Promise<boolean>(() => undefined) : age >= 100;
  });
  const leading = list({ timeout: 9_000 });
  await vi.advanceTimersByTimeAsync(0);
  const others = Promise.all([list(), list()]);
  expect(await settle(others)).toEqual([{ took: 1_200 }, { took: 1_200 }]);
  expect(await settle(leading)).toMatchObject({ error: { name: 'DeadlineError', sent: 'maybe' } });
});

test.each([-24, 24])('a clock that jumps by %d hours does not affect the age of a token', async (hours) => {
  const { issued, list } = serve(never);
  const call = list();
  await vi.advanceTimersByTimeAsync(100);
  vi.setSystemTime(Date.now() + hours * hour);
  expect(await settle(call)).toMatchObject({ error: { attempts: 4 } });
  expect(issued).toHaveLength(1);
});

test('a token endpoint that takes longer than 5 s issues young tokens', async () => {
  const issued: number[] = [];
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: { clientId: 'id', clientSecret: 'secret' },
    logger: silent,
    async fetch(url) {
      if (!url.endsWith('/access_token'))
        return Response.json({ data: [] }, { status: Date.now() - (issued.at(-1) ?? 0) < 500 ? 401 : 200 });
      await new Promise((resolve) => setTimeout(resolve, 6_000));
      issued.push(Date.now());
      return Response.json({ access_token: `token-${issued.length}`, expires_in: 3600 });
    },
  });
  expect(await settle(outcomeOf(api.crm.users.list()))).toEqual({ took: 6_700 });
  expect(issued).toHaveLength(1);
});

test('a token that lives for a second is renewed when it expires, not given time', async () => {
  let issued = 0;
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: { clientId: 'id', clientSecret: 'secret' },
    logger: silent,
    async fetch(url, { headers }) {
      if (!url.endsWith('/access_token'))
        return Response.json({ data: [] }, { status: headers.authorization?.endsWith('-1') ? 401 : 200 });
      issued += 1;
      return Response.json({ access_token: `token-${issued}`, expires_in: 1 });
    },
  });
  expect(await settle(outcomeOf(api.crm.users.list()))).not.toHaveProperty('error');
  expect(issued).toBe(2);
});

test('a token that is renewed while calls find out whether it is accepted is not sent again', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const uses: string[] = [];
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: { clientId: 'id', clientSecret: 'secret' },
    logger: silent,
    async fetch(url, { headers }) {
      if (url.endsWith('/access_token')) {
        uses.push('issue');
        return Response.json({ access_token: `token-${uses.length}`, expires_in: 2 });
      }
      uses.push(headers.authorization ?? '');
      return Response.json({ data: [] }, { status: uses.length < 7 ? 401 : 200 });
    },
  });
  const first = outcomeOf(api.crm.users.list());
  // The renewal is due at 80 % of two seconds. The last wait ends later.
  await vi.advanceTimersByTimeAsync(1_650);
  expect(uses).toEqual(['issue', ...Array(3).fill('Bearer token-1')]);
  const second = outcomeOf(api.crm.users.list());
  expect((await settle(Promise.all([first, second]))).at(1)).not.toHaveProperty('error');
  expect(uses.indexOf('issue', 1)).toBe(4);
  expect(uses.lastIndexOf('Bearer token-1')).toBe(3);
});

test.each([
  ['an API key', { apiKey: 'key' }, 1],
  ['a function', { getToken: ({ forceRefresh }: { forceRefresh: boolean }) => `token-${forceRefresh}` }, 2],
])('the 401 of %s causes no wait', async (_, auth, attempts) => {
  const { list } = serve(never, { auth });
  expect(await settle(list())).toMatchObject({ error: { ...unauthorized, attempts }, took: 0 });
});
