import { expect, test } from 'vitest';
import {
  addresses,
  contactsReply,
  createContactPages,
  dealReply,
  replyBytes,
} from '../../../scripts/bench/replies/replies.ts';
import { withReplyServer } from '../../../scripts/bench/replies/start.ts';
import { createClient } from '../../../src/client/index.ts';

test('a reply has the size that it is measured for', () => {
  expect(Buffer.byteLength(dealReply(replyBytes.deal))).toBe(replyBytes.deal);
  const bytes = Buffer.byteLength(contactsReply(replyBytes.contacts));
  expect(bytes / replyBytes.contacts).toBeCloseTo(1, 1);
  expect(bytes).toBeGreaterThanOrEqual(replyBytes.contacts);
});

test('the pages of a list hold each contact once', () => {
  const page = createContactPages(5);
  const ids = [0, 2, 4].flatMap((offset) => JSON.parse(page(2, offset)).data.list.map(({ id }: { id: number }) => id));
  expect(ids).toEqual([1, 2, 3, 4, 5]);
});

test('the server in its process answers what clients ask, and ends', async () => {
  const stopped = await withReplyServer({ contacts: 250, delay: 0 }, async (url) => {
    const api = createClient({ baseUrl: url, auth: { apiKey: 'any' }, maxRetries: 0 });
    expect((await fetch(url + addresses.deal)).headers.get('content-length')).toBe('300');
    expect(await api.crm.contacts.list().toArray({ max: 1_000 })).toHaveLength(250);
    return url;
  });
  await expect(fetch(stopped)).rejects.toThrow();
});
