import { expect, test } from 'vitest';
import { send } from '../raw.ts';
import { day, expectChoice, expectRule, hour, second, start } from '../support.ts';

const sender = 'sales@example.com';
const ben = 'ben.ito@example.com';
const benEntry = {
  email: ben,
  unsubscribe_by_link: 0,
  unsubscribe_by_user: 1,
  spam_complaint: 0,
  date: '2026-11-03 10:30:00',
};

test('adds addresses to the list with their comments [email-unsubscribe-adds]', async () => {
  const { api, sandbox } = start();
  const emails = [
    { email: 'Cora@example.com', comment: 'Asked by phone' },
    { email: ben, comment: 'Again' },
  ];
  expect(await api.email.unsubscribes.add({ emails: [...emails, { email: 'cora@example.com' }] })).toEqual({
    result: true,
  });
  const { data } = await api.email.unsubscribes.list();
  expect(data).toEqual([{ ...benEntry, email: 'Cora@example.com', date: '2026-11-04 12:00:00' }, benEntry]);
  expect([...sandbox.state.email.unsubscribed.values()].map(({ comment }) => comment)).toEqual([
    'Asked by phone',
    'Asked by phone',
  ]);
  for (const wrong of [JSON.parse('{}'), { comment: 'Nobody' }, { email: 'cora' }])
    await expectChoice(api.email.unsubscribes.add({ emails: [{ email: 'new@example.com' }, wrong] }), 'email-address');
  expect(sandbox.state.email.unsubscribed.size).toBe(2);
});

test('removes addresses from the list [email-unsubscribe-removes]', async () => {
  const { api, sandbox } = start();
  await api.email.unsubscribes.add({ emails: [{ email: 'cora@example.com' }] });
  const emails = ['Ben.Ito@example.com', 'nobody@example.com'];
  expect(await api.email.unsubscribes.remove({ emails })).toEqual({ result: true });
  expect((await api.email.unsubscribes.list()).data.map(({ email }) => email)).toEqual(['cora@example.com']);
  const { headers } = await send(sandbox, 'DELETE /smtp/unsubscribe', { body: { emails } });
  expect(headers.get('x-sandbox-choice')).toBe('email-not-unsubscribed');
});

test('a request without addresses changes nothing', async () => {
  const { sandbox } = start();
  for (const method of ['POST', 'DELETE']) {
    for (const body of [undefined, {}, { emails: [] }]) {
      const { status, headers } = await send(sandbox, `${method} /smtp/unsubscribe`, { body });
      expect([status, headers.get('x-sandbox-choice')]).toEqual([200, 'email-no-addresses']);
    }
  }
  expect(sandbox.state.email.unsubscribed.size).toBe(1);
});

test('a date filters the list to the entries of that day [email-unsubscribes-of-one-day]', async () => {
  const { api } = start();
  await api.email.unsubscribes.add({ emails: [{ email: 'cora@example.com' }, { email: 'dan@example.com' }] });
  const list = async (query: object) => (await api.email.unsubscribes.list(query)).data.map(({ email }) => email);
  expect(await list({ date: '2026-11-03' })).toEqual([ben]);
  expect(await list({ date: '2026-11-04' })).toEqual(['dan@example.com', 'cora@example.com']);
  expect(await list({ date: '2026-11-02' })).toEqual([]);
  expect(await list({ limit: 1, offset: 1 })).toEqual(['cora@example.com']);
  await expectChoice(api.email.unsubscribes.list({ date: '2026-11-31' }), 'request-shape');
  await expectChoice(api.email.unsubscribes.list({ offset: -1 }), 'page-size');
});

test('sends a confirmation email, and keeps the address on the list [email-resubscription-keeps-entry]', async () => {
  const { api, sandbox } = start();
  const { result, id } = await api.email.unsubscribes.requestResubscription({ email: ben, sender, lang: 'en' });
  expect(result).toBe(true);
  expect(await api.email.messages.get({ id })).toMatchObject({
    sender,
    recipient: ben,
    subject: 'Confirm your subscription',
  });
  expect(await api.email.messages.count()).toEqual({ total: 3 });
  sandbox.clock.advance(hour);
  expect((await api.email.unsubscribes.list()).data).toEqual([benEntry]);
  await expectChoice(
    api.email.unsubscribes.requestResubscription({ email: 'cora@example.com', sender }),
    'email-resubscribe-unlisted',
  );
  await expectChoice(api.email.unsubscribes.requestResubscription({ email: '', sender }), 'email-address');
});

test('an account can request five resubscriptions in any 24 hours [email-resubscription-quota]', async () => {
  const { api, sandbox } = start();
  const ask = (email = ben) => api.email.unsubscribes.requestResubscription({ email, sender });
  await ask();
  sandbox.clock.advance(hour);
  for (let count = 0; count < 4; count += 1) {
    // Rejected requests do not count.
    await expectChoice(ask('nobody@example.com'), 'email-resubscribe-unlisted');
    await ask();
  }
  const before = sandbox.snapshot().state;
  const { choice } = await expectRule(ask(), 'email-resubscription-quota', 429);
  expect(choice).toBe('email-quota-response');
  expect(sandbox.snapshot().state).toEqual(before);
  sandbox.clock.advance(23 * hour - second);
  await expectRule(ask(), 'email-resubscription-quota', 429);
  sandbox.clock.advance(second);
  await ask();
  await expectRule(ask(), 'email-resubscription-quota', 429);
  sandbox.clock.advance(day);
  await ask();
});
