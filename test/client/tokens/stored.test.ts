import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type Accepts,
  hour,
  mapStore,
  never,
  outcomeOf,
  refused,
  serve,
  settle,
  spreadsIn,
  unauthorized,
} from './spreading-service.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a token of the store', () => {
  const put = (store: ReturnType<typeof mapStore>, issuedAt: number): void => {
    const [key = ''] = store.map.keys();
    store.map.set(key, { accessToken: 'token-1', issuedAt, expiresAt: issuedAt + hour });
  };

  test.each([
    ['is young', 0, 1],
    ['is young if its clock is a little ahead', 4_000, 1],
    ['is young if its clock is a little behind', -4_000, 1],
    ['is old if its clock is far ahead, because its age is unknown', 5_001, 2],
    ['is old', -5_000, 2],
  ])('%s', async (_, ahead, requests) => {
    const tokenStore = mapStore();
    const { connect, issued, list } = serve(({ number, age }) => number > 1 || age >= 500, { tokenStore });
    await settle(list());
    const now = Date.now();
    issued[0] = now;
    put(tokenStore, now + ahead);
    expect(await settle(outcomeOf(connect().crm.users.list()))).not.toHaveProperty('error');
    expect(issued).toHaveLength(requests);
  });

  test('is given time by each of several clients, and requested once', async () => {
    const tokenStore = mapStore();
    const { api, connect, issued, seen } = serve(spreadsIn(500), { tokenStore });
    const first = outcomeOf(api.crm.users.list());
    await vi.advanceTimersByTimeAsync(0);
    const others = Array.from({ length: 4 }, () => outcomeOf(connect().crm.users.list()));
    expect(await settle(Promise.all([first, ...others]))).toEqual(Array(5).fill({ took: 700 }));
    expect(issued).toHaveLength(1);
    expect(refused(seen)).toHaveLength(10);
  });

  test('replaces one that was found refused, where the service refuses a token as soon as it has issued another', async () => {
    const tokenStore = mapStore();
    const { connect, issued } = serve(({ number }) => number === issued.length, { tokenStore });
    const calls = Array.from({ length: 5 }, () => outcomeOf(connect().crm.users.list()));
    expect((await settle(Promise.all(calls))).filter(({ error }) => error)).toEqual([]);
    expect(issued).toHaveLength(5);
  });

  /** A call whose token-1 is refused, while another process writes token-2 to the store. */
  async function refuseOne(accepts: Accepts, life: number) {
    const tokenStore = mapStore();
    const service = serve(accepts, { tokenStore });
    const call = service.list();
    await vi.advanceTimersByTimeAsync(1_600);
    const now = Date.now();
    const [key = ''] = tokenStore.map.keys();
    tokenStore.map.set(key, { accessToken: 'token-2', issuedAt: now + life - hour, expiresAt: now + life });
    const outcome = await settle(call);
    return { ...service, outcome };
  }

  test('does not replace one that was found refused if it has expired meanwhile', async () => {
    const { outcome, seen } = await refuseOne(never, 100);
    expect(outcome).toMatchObject({ error: unauthorized, took: 1_700 });
    expect(seen.map(({ token }) => token)).toEqual(Array(4).fill('token-1'));
  });

  test('that replaces one that was found refused does not bring that one back when it is refused itself', async () => {
    const { outcome, seen, list } = await refuseOne(never, hour);
    expect(outcome).toMatchObject({ error: { ...unauthorized, attempts: 5 } });
    await settle(list());
    expect(seen.map(({ token }) => token)).toEqual([...Array(4).fill('token-1'), ...Array(4).fill('token-2')]);
  });
});
