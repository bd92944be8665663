import { expect, test } from 'vitest';
import { expectChoice, expectRule, start } from '../support.ts';
import { own } from './examples.ts';

test('lists sender IPs and addresses', async () => {
  const { api } = start();
  expect(await api.email.ips.list()).toEqual(['192.0.2.10']);
  expect(await api.email.senders.list()).toEqual(['sales@example.com']);
});

test('an added address is accepted wherever a sender is named [email-sender-addresses-shared]', async () => {
  const { api } = start();
  const email = 'tom.berg@example.com';
  const send = () => api.email.messages.send({ ...own, from: { email } });
  const ask = () => api.email.unsubscribes.requestResubscription({ email: 'ben.ito@example.com', sender: email });
  await expectRule(send(), 'email-sender-addresses-shared');
  await expectRule(ask(), 'email-sender-addresses-shared');
  expect(await api.email.senders.create({ email, name: 'Tom Berg' })).toEqual({ result: true });
  expect(await api.email.senders.list()).toEqual(['sales@example.com', email]);
  await send();
  const { id } = await ask();
  expect((await api.email.messages.get({ id })).sender).toBe(email);
});

test('adds no existing or invalid address', async () => {
  const { api, sandbox } = start();
  await api.email.senders.create({ email: 'Sales@example.com', name: 'Sales team' });
  expect(await api.email.senders.list()).toEqual(['sales@example.com']);
  expect(sandbox.state.email.senders.get('sales@example.com')?.name).toBe('Sales team');
  await expectChoice(api.email.senders.create({ email: 'sales', name: 'Sales' }), 'email-address');
});

test('lists the domain of the story', async () => {
  const { api } = start();
  expect(await api.email.domains.list()).toEqual([
    {
      id: 91,
      user_id: 1001,
      service_type: 3,
      service_value: 'example.com',
      status: 1,
      expire_date: '2027-11-02 09:30:00',
      auto_free_prolong: 1,
      currency: 'EUR',
      is_default: true,
      ssl_type: 1,
      ssl_expired: null,
      ssl_generated: null,
      checks: {
        check_dkim: true,
        check_spf: true,
        check_dmarc: true,
        all_checks: true,
        spf_txt_needed: 'v=spf1 include:spf.example.com ~all',
      },
    },
  ]);
});

test('a new domain has passed no checks', async () => {
  const { api } = start({ currency: 'USD' });
  expect(await api.email.domains.add({ domain: 'Shop.example.org' })).toEqual({ result: true, error: null });
  const domains = await api.email.domains.list();
  expect(domains.map(({ service_value }) => service_value)).toEqual(['example.com', 'shop.example.org']);
  expect(domains[1]).toMatchObject({
    is_default: false,
    currency: 'USD',
    expire_date: '2027-11-04 12:00:00',
    checks: { check_dkim: false, all_checks: false },
  });
  const empty = start({ seed: false });
  await empty.api.email.domains.add({ domain: 'example.com' });
  expect((await empty.api.email.domains.list())[0]?.is_default).toBe(true);
});

test.each(['example.com', 'EXAMPLE.com', 'localhost', 'a b.com', '192.0.2.10', '-a.com', 'a/b.com', 'ą@b.com'])(
  'rejects the domain %s with a success status, and changes nothing',
  async (domain) => {
    const { api, sandbox } = start();
    const call = api.email.domains.add({ domain });
    await expectChoice(call, 'email-domain-failure', 200);
    expect(sandbox.state.email.domains.size).toBe(1);
  },
);
