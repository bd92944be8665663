import { expect, test, vi } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import { type Attempt, createHook, HeldBackError, runAttempt } from '../../../src/jobs/work/attempt.ts';
import { judge } from '../../../src/jobs/work/judge.ts';

test('a request whose row is not confirmed does not leave, and its row is sent later, without a lookup', async () => {
  const attempt: Attempt = {
    isLookup: false,
    account: '',
    deadline: 1_000,
    quotaOf: undefined,
    confirm: () => Promise.reject(new HeldBackError('The session of the worker has ended')),
    isFresh: () => true,
    pace: async () => undefined,
  };
  const fetch = vi.fn<typeof globalThis.fetch>();
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: { apiKey: 'any' },
    middleware: [createHook({ reserve: async () => undefined })],
    fetch,
  });
  const error = await runAttempt(attempt, async () => api.crm.boards.create({ name: 'a' })).catch(
    (thrown: unknown) => thrown,
  );
  expect(fetch).not.toHaveBeenCalled();
  expect(judge(error, attempt).kind).toBe('later');
  expect([attempt.writeCall, attempt.writeOperation]).toEqual([undefined, undefined]);
});
