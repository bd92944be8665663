/** What a call does after a 401. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ClientOptions, createClient } from '../../../src/client/index.ts';
import { silent } from '../outcomes/support.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const hour = 3_600_000;
const unauthorized = { name: 'AuthenticationError', status: 401, sent: 'yes' };

/** An in-memory service that issues `token-1`, `token-2`, …, each with a life of an hour. */
function serve(accepts: (token: string) => boolean | Promise<boolean>, options: Partial<ClientOptions> = {}) {
  let issued = 0;
  const seen: string[] = [];
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: { clientId: 'id', clientSecret: 'secret' },
    logger: silent,
    ...options,
    fetch: async (url, { method, headers }) => {
      if (url.endsWith('/access_token')) {
        issued += 1;
        return Response.json({ access_token: `token-${issued}`, expires_in: hour / 1000 });
      }
      const token = headers.authorization?.replace('Bearer ', '') ?? '';
      seen.push(token);
      const data = method === 'GET' ? [] : { id: 1 };
      return Response.json({ data }, { status: (await accepts(token)) ? 200 : 401 });
    },
  });
  const call = () => Promise.resolve(api.crm.users.list()).catch((error: unknown) => error);
  const create = () => Promise.resolve(api.crm.boards.create({ name: 'Tasks' })).catch((error: unknown) => error);
  return { seen, issued: () => issued, call, create };
}

test('concurrent calls share one new token, and each is sent again once', async () => {
  const { seen, issued, call } = serve((token) => token === 'token-2');
  expect(await Promise.all([call(), call(), call()])).toEqual([[], [], []]);
  expect(seen).toEqual([...Array(3).fill('token-1'), ...Array(3).fill('token-2')]);
  expect(issued()).toBe(2);
});

test('a second 401 fails the call, and the next call begins with the token that it left', async () => {
  const { seen, call } = serve(() => false);
  expect(await call()).toMatchObject({ ...unauthorized, attempts: 2 });
  expect(await call()).toMatchObject({ ...unauthorized, attempts: 2 });
  expect(seen).toEqual(['token-1', 'token-2', 'token-2', 'token-3']);
});

test('a call that is rejected after its token was renewed is sent again with the new one, without another request', async () => {
  let answerLate = (_: boolean): void => undefined;
  let isLate = false;
  const { seen, issued, call } = serve((token) => {
    if (token !== 'token-1' || !isLate) return true;
    isLate = false;
    return new Promise<boolean>((resolve) => (answerLate = resolve));
  });
  await call();
  await vi.advanceTimersByTimeAsync(0.96 * hour);
  isLate = true;
  const late = call();
  await vi.advanceTimersByTimeAsync(0);
  answerLate(false);
  expect(await late).toEqual([]);
  expect(seen.slice(-2)).toEqual(['token-1', 'token-2']);
  expect(issued()).toBe(2);
});

test('with replayCreates: false, a call that creates is not sent again, and the next one has another token', async () => {
  const { seen, create } = serve((token) => token === 'token-2', { replayCreates: false });
  expect(await create()).toMatchObject({ ...unauthorized, attempts: 1 });
  expect(await create()).not.toBeInstanceOf(Error);
  expect(seen).toEqual(['token-1', 'token-2']);
});

test('with replayCreates: false, the 401 ends the call if the deadline passes while it waits for another token', async () => {
  const getToken = ({ forceRefresh }: { forceRefresh: boolean }) =>
    forceRefresh ? new Promise<string>(() => undefined) : 'token-1';
  const { create } = serve(() => false, { auth: { getToken }, replayCreates: false, timeout: 1_000 });
  const failed = create();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await failed).toMatchObject({ ...unauthorized, attempts: 1 });
});

test.each([
  ['an API key', { apiKey: 'key' }, 1],
  ['a function', { getToken: ({ forceRefresh }: { forceRefresh: boolean }) => `token-${forceRefresh}` }, 2],
])('the 401 of %s ends the call', async (_, auth, attempts) => {
  const { call } = serve(() => false, { auth });
  expect(await call()).toMatchObject({ ...unauthorized, attempts });
});
