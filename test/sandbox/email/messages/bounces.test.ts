import { expect, test } from 'vitest';
import { day, expectChoice, hour, start } from '../../support.ts';
import { sendTo } from '../examples.ts';

test('lists the bounces of the last 24 hours [email-bounce-window]', async () => {
  const { api, sandbox } = start();
  const { bounces } = api.email;
  const ids = async () => (await bounces.list()).data.map(({ id }) => id);
  // The bounce of the story is older.
  expect([await ids(), await bounces.count()]).toEqual([[], { total: 0 }]);
  await sendTo(api, 'ann.kowal@example.com');
  const first = await sendTo(api, 'bounce.first@example.com');
  sandbox.clock.advance(23 * hour);
  const second = await sendTo(api, 'Bounce.second@example.com');
  expect([await ids(), await bounces.count()]).toEqual([[second, first], { total: 2 }]);
  sandbox.clock.advance(hour);
  expect([await ids(), await bounces.count()]).toEqual([[second], { total: 1 }]);
  sandbox.clock.advance(day);
  expect([await ids(), await bounces.count()]).toEqual([[], { total: 0 }]);
  expect((await api.email.messages.get({ id: first })).smtp_answer_code).toBe('550');
});

test('lists the bounce of the story on its day', async () => {
  const { api } = start({ startAt: Date.UTC(2026, 10, 3, 12) });
  const { data } = await api.email.bounces.list();
  expect(data).toEqual([
    expect.objectContaining({
      id: 'msg-2026-0002',
      smtp_answer_code: 550,
      smtp_answer_subcode: '5.1.1',
      smtp_answer_data: 'Mailbox unavailable',
      tracking: { click: 0, open: 0, link: [], client_info: [] },
    }),
  ]);
});

test('filters bounces by day, and pages them', async () => {
  const { api, sandbox } = start();
  const old = await sendTo(api, 'bounce.old@example.com');
  sandbox.clock.advance(13 * hour);
  const [first, last] = [await sendTo(api, 'bounce.a@example.com'), await sendTo(api, 'bounce.b@example.com')];
  const list = async (query: object) => (await api.email.bounces.list(query)).data.map(({ id }) => id);
  expect(await list({ date: '2026-11-04' })).toEqual([old]);
  expect(await list({ date: '2026-11-05' })).toEqual([last, first]);
  expect(await list({ date: '2026-11-03' })).toEqual([]);
  expect(await list({ limit: 1, offset: 2 })).toEqual([old]);
  await expectChoice(api.email.bounces.list({ date: '2026-02-30' }), 'request-shape');
});
