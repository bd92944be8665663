import { expect, test, vi } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import { type Attempt, createHook, HeldBackError, runAttempt } from '../../../src/jobs/work/attempt.ts';
import { classifyError } from '../../../src/jobs/work/classify-error.ts';

test('a request whose row is not confirmed does not leave, and its row is sent later, without a lookup', async () => {
  const attempt: Attempt = {
    account: '',
    deadline: 1_000,
    hold: {
      confirm: () => Promise.reject(new HeldBackError('The session of the worker has ended')),
      isFresh: () => true,
      pace: async () => undefined,
    },
  };
  const fetch = vi.fn<typeof globalThis.fetch>();
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: { apiKey: 'any' },
    middleware: [createHook({ reserveQuota: async () => undefined })],
    fetch,
  });
  const error = await runAttempt(attempt, async () => api.crm.boards.create({ name: 'a' })).catch(
    (thrown: unknown) => thrown,
  );
  expect(fetch).not.toHaveBeenCalled();
  expect(classifyError(error, attempt).kind).toBe('later');
  expect([attempt.writeCall, attempt.writeOperation]).toEqual([undefined, undefined]);
});

test('a row is confirmed last, after the waits for the rate and the quota, which can outlast its mark', async () => {
  const order: string[] = [];
  const attempt: Attempt = {
    account: '',
    deadline: 1_000,
    hold: {
      confirm: async () => void order.push('confirm'),
      isFresh: () => true,
      pace: async () => void order.push('rate'),
    },
  };
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: { apiKey: 'any' },
    middleware: [createHook({ reserveQuota: async () => void order.push('quota') })],
    async fetch() {
      order.push('request');
      return Response.json({ result: true, id: 7 });
    },
  });
  await runAttempt(attempt, async () =>
    api.email.unsubscribes.requestResubscription({ email: 'ann@example.com', sender: 'sales@example.com' }),
  );
  expect(order).toEqual(['rate', 'quota', 'confirm', 'request']);
});
