import { expect, test } from 'vitest';
import { leastProcessorTime } from './processor-time.ts';
import { send } from './raw.ts';
import { start } from './support.ts';

// Shared by all tests, because filling it takes longer than they do.
const { sandbox, api } = start({ seed: 100_000 });
const listContacts = (body: object): Promise<Response> => send(sandbox, 'POST /crm/v1/contacts/get-list', { body });

/** A search over all contacts, about 16 ms. Limits relative to it do not depend on the machine. */
const scanTime = (): Promise<number> => leastProcessorTime(() => listContacts({ location: 'Kyiv', limit: 1 }));

/** Expects each call to be faster than four scans: the slowest takes about one, and copying all records takes more. */
async function expectQuick(reads: (() => PromiseLike<unknown>)[]): Promise<void> {
  const scan = await scanTime();
  for (const read of reads) expect(await leastProcessorTime(read), read.toString()).toBeLessThan(4 * scan);
}

test('reads a page and a record of 100,000 messages faster than four scans', async () => {
  const { messages, bounces, unsubscribes } = api.email;
  const reads = [
    () => messages.list({ offset: 99_900 }),
    () => messages.list({ from: '2026-10-30', recipient: 'customer99999@example.com' }),
    () => messages.get({ id: 'msg-2026-0001' }),
    () => messages.count(),
    () => bounces.list(),
    () => bounces.count(),
    () => unsubscribes.list({ date: '2026-10-20', offset: 100 }),
  ];
  await expectQuick(reads);
});

test('reads a page and a record of 100,000 subscribers faster than four scans', async () => {
  const { push, blacklist, campaigns } = api.messaging;
  const reads = [
    () => push.websites.listSubscribers({ id: 42, offset: 99_900, subscription_date_from: '2026-01-01' }),
    () => push.websites.get({ id: 42 }),
    () => push.campaigns.list({ from: '2026-01-01 00:00:00' }),
    () => blacklist.list({ offset: 9_900 }),
    () => campaigns.list({ offset: 9_900 }),
    () => campaigns.get({ id: 9001 }),
  ];
  await expectQuick(reads);
});

test('a page of the newest, and a search by email or phone, do not scan 100,000 contacts', async () => {
  const searches = [
    { sortBy: { fieldName: 'created_at', direction: 'desc' } },
    { email: '.5000@example.com' },
    { phone: '+1 555 2005000' },
  ];
  const scan = await scanTime();
  for (const search of searches) {
    expect((await (await listContacts(search)).json()).data.total).toBeGreaterThan(0);
    const rounds = 10;
    const time = await leastProcessorTime(async () => {
      for (let round = 0; round < rounds; round += 1) await listContacts(search);
    });
    expect(time / rounds, JSON.stringify(search)).toBeLessThan(scan / 4);
  }
});

// Last, because it changes records.
test('changes a record with 20,000 links or 10,000 own fields in linear time', async () => {
  const contact = [...sandbox.state.crm.contacts.keys()].slice(0, 20_000);
  const created = await send(sandbox, 'POST /crm/v1/deals', { body: { pipelineId: 1, stepId: 11, contact } });
  const { id } = (await created.json()).data;
  expect((await send(sandbox, `DELETE /crm/v1/deals/${id}/contacts/3001`)).ok).toBe(true);
  expect(sandbox.state.crm.dealsByContact.keys(3001).has(id)).toBe(false);
  const own = (length: number) => Object.fromEntries(Array.from({ length }, (_, index) => [`field${index}`, index]));
  const statuses = [10_000, 10_001, 50_001].map(async (length) => {
    const reply = await send(sandbox, 'POST /crm/v1/pipelines', { body: own(length) });
    return [reply.status, reply.ok ? '' : reply.headers.get('x-sandbox-choice')];
  });
  expect(await Promise.all(statuses)).toEqual([
    [201, ''],
    [422, 'unknown-field-count'],
    [413, 'body-items'],
  ]);
}, 10_000);
