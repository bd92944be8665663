import { expect, test } from 'vitest';
import { createClient, isCarillonError } from '../../../src/client/index.ts';
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { send } from '../raw.ts';
import { day, hour, minute, second, startAt } from '../support.ts';
import { sale } from './examples.ts';

// Responses over quota, and the reaction of a client that honours Retry-After.

function begin() {
  const sandbox = createSandbox({ startAt });
  sandbox.clock.freeze();
  const options = { baseUrl: 'https://sandbox.example.com', auth: { apiKey: 'any' }, logger: { warn: () => {} } };
  return { sandbox, api: createClient({ ...options, fetch: sandbox.fetch }) };
}

async function retryAfter(sandbox: Sandbox, request: string, body: unknown): Promise<string> {
  const { status, headers } = await send(sandbox, request, { body });
  return `${status} ${headers.get('retry-after')}`;
}

test('a campaign sent too early gets the whole seconds until the quota permits one', async () => {
  const { sandbox } = begin();
  const create = () => retryAfter(sandbox, 'POST /push/tasks', sale);
  expect(await create()).toBe('200 null');
  expect(await create()).toBe('429 900');
  sandbox.clock.advance(1);
  expect(await create()).toBe('429 900');
  sandbox.clock.advance(15 * minute - 2);
  expect(await create()).toBe('429 1');
  sandbox.clock.advance(1);
  expect(await create()).toBe('200 null');
});

test('an account with an exhausted quota gets the seconds until the oldest of five requests is a day old', async () => {
  const { sandbox } = begin();
  const body = { email: 'ben.ito@example.com', sender: 'sales@example.com' };
  const ask = () => retryAfter(sandbox, 'POST /smtp/resubscribe', body);
  for (let count = 0; count < 5; count += 1) {
    expect(await ask()).toBe('200 null');
    sandbox.clock.advance(hour);
  }
  expect(await ask()).toBe(`429 ${19 * 3_600}`);
  sandbox.clock.advance(19 * hour);
  expect(await ask()).toBe('200 null');
  expect(await ask()).toBe('429 3600');
});

test('waits for the last request that must expire if the state exceeds the quota', async () => {
  const { sandbox } = begin();
  // Set by the test, unsorted. The quota of five permits a request once the third of the seven is a day old.
  const times = [6, 0, 1, 2, 3, 4, 5].map((hours) => startAt - day + second + hours * hour);
  sandbox.state.email.settings.set('resubscriptions', times);
  const body = { email: 'ben.ito@example.com', sender: 'sales@example.com' };
  expect(await retryAfter(sandbox, 'POST /smtp/resubscribe', body)).toBe(`429 ${2 * 3_600 + 1}`);
});

test('the client does not wait for hours, but fails at once after one request', async () => {
  const { sandbox, api } = begin();
  await api.messaging.push.campaigns.create(sale);
  const seen = sandbox.requests.length;
  const begun = performance.now();
  const error: unknown = await api.messaging.push.campaigns.create(sale).catch((thrown: unknown) => thrown);
  expect(isCarillonError(error, 'RateLimitError') && error.headers.get('retry-after')).toBe('900');
  expect(sandbox.requests.length - seen).toBe(1);
  expect(performance.now() - begun).toBeLessThan(10 * second);
});
