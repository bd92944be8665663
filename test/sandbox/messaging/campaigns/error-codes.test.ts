import { describe, expect, test } from 'vitest';
import type { Messaging } from '../../../../src/client/index.ts';
import { day, expectRule, start } from '../../support.ts';
import { button, promo, send, system, systemText } from '../examples.ts';

const ended = Date.UTC(2026, 9, 1);

function coded(code: string) {
  return { message: code, error_code: 422 };
}

test('creates a system message from an approved template of its sender', async () => {
  const { api } = start();
  expect(await api.messaging.campaigns.create(system)).toMatchObject({ message: null, message_type: 3, sender_id: 5 });
});

test('a system message goes to one phone number [messaging-system-single-recipient] [3086]', async () => {
  const { api } = start();
  await api.messaging.campaigns.create(system);
  const recipients = [15550100123, 15550100131];
  const call = api.messaging.campaigns.create({ ...system, recipients });
  expect((await expectRule(call, 'messaging-system-single-recipient')).body).toEqual(coded('3086'));
  await api.messaging.campaigns.create({ ...promo, recipients });
});

test('rejects a system message to a mailing list like one to several numbers, by choice', async () => {
  const { api } = start();
  const call = api.messaging.campaigns.create({ ...system, recipients: null, address_book: 4400 });
  const rejected = await expectRule(call, 'messaging-system-single-recipient');
  expect(rejected).toMatchObject({ body: coded('3086'), choice: 'messaging-system-mailing-list' });
});

test('a system message needs an existing template [messaging-template-required] [3091]', async () => {
  const { api } = start();
  for (const template_id of [undefined, 0, 799]) {
    const rejected = await expectRule(
      api.messaging.campaigns.create({ ...system, template_id }),
      'messaging-template-required',
    );
    expect(rejected.body).toEqual(coded('3091'));
  }
});

test.each([[null], [''], ['700'], [1.5], [true], [-1]])(
  'an empty or invalid template ID is rejected with its code, not as a wrong shape: %j [3091]',
  async (template_id) => {
    const { sandbox } = start();
    const response = await send(sandbox, '/msgr', { ...system, template_id });
    expect([response.status, response.headers.get('x-sandbox-rule')?.split(';')[0]]).toEqual([
      422,
      'messaging-template-required',
    ]);
    expect(await response.json()).toEqual(coded('3091'));
    // A promo has no template, so its shape decides, as before.
    if (template_id === -1) return;
    const other = await send(sandbox, '/msgr', { ...promo, template_id });
    expect(other.headers.get('x-sandbox-choice')).toBe('request-shape');
  },
);

test.each([[null], ['']])('a variable whose value is %j is not filled in [3085]', async (name) => {
  const { sandbox } = start();
  const response = await send(sandbox, '/msgr', { ...system, variables: { name, plan: 'Team' } });
  expect(await response.json()).toEqual(coded('3085'));
  const wrong = await send(sandbox, '/msgr', { ...system, variables: { name: 7, plan: 'Team' } });
  expect(wrong.headers.get('x-sandbox-choice')).toBe('request-shape');
});

test('the template must be approved [messaging-template-approved] [3084]', async () => {
  const { api, sandbox } = start();
  const call = () => api.messaging.campaigns.create({ ...system, template_id: 701 });
  expect((await expectRule(call(), 'messaging-template-approved')).body).toEqual(coded('3084'));
  const { templates } = sandbox.state.messaging;
  const template = templates.get(701);
  if (template) templates.put({ ...template, approved: true });
  await call();
});

test('the template must belong to the sender [messaging-template-same-sender] [3087]', async () => {
  const { api } = start();
  const invoice = { ...system, template_id: 702, variables: { number: '17' } };
  const rejected = await expectRule(api.messaging.campaigns.create(invoice), 'messaging-template-same-sender');
  expect(rejected.body).toEqual(coded('3087'));
  await api.messaging.campaigns.create({ ...invoice, sender_id: 7 });
});

test('every variable of a template must be filled in [messaging-template-variables] [3085]', async () => {
  const { api } = start();
  const incomplete: Messaging.CampaignsCreateParams['variables'][] = [
    undefined,
    {},
    { name: 'Ann' },
    { name: 'Ann', plan: '' },
  ];
  for (const variables of incomplete) {
    const rejected = await expectRule(
      api.messaging.campaigns.create({ ...system, variables }),
      'messaging-template-variables',
    );
    expect(rejected.body).toEqual(coded('3085'));
  }
  const { response } = await api.messaging.campaigns
    .create({ ...system, variables: { ...system.variables, more: 'x' } })
    .withResponse();
  expect(response.headers.get('x-sandbox-choice')).toContain('messaging-variables-unknown');
  const text = { ...systemText, variables: { name: 'Ann' } };
  const beside = await start({ startAt: ended - day })
    .api.messaging.campaigns.create(text)
    .withResponse();
  expect(beside.response.headers.get('x-sandbox-choice')).toContain('messaging-variables-unknown');
});

describe("a variable's value must be short and without links [messaging-variable-value] [3088]", () => {
  const withPlan = (plan: string) =>
    start().api.messaging.campaigns.create({ ...system, variables: { name: 'Ann', plan } });

  test.each(['Team', 'x'.repeat(125), 'v2.0/b', 'Ann.Kowal', 'a/b'])('accepts %s', async (plan) => {
    await withPlan(plan);
  });

  test.each(['x'.repeat(126), 'https://example.com', 'see www.example.com', 'shop.example.com/plans'])(
    'rejects %s',
    async (plan) => {
      expect((await expectRule(withPlan(plan), 'messaging-variable-value')).body).toEqual(coded('3088'));
    },
  );
});

test('rejects text beside a template for every kind of campaign [messaging-template-excludes-message] [3093]', async () => {
  const { api } = start();
  await api.messaging.campaigns.create({ ...system, message: '' });
  const message = 'Hello Ann, the contract of your Team plan is ready.';
  for (const campaign of [
    { ...system, message },
    { ...promo, template_id: 700 },
  ]) {
    const call = api.messaging.campaigns.create(campaign);
    expect((await expectRule(call, 'messaging-template-excludes-message')).body).toEqual(coded('3093'));
  }
});

test('accepts a system message as text until 2026-10-01 [messaging-system-text-ended]', async () => {
  const { api, sandbox } = start({ startAt: ended - 1 });
  const call = () => api.messaging.campaigns.create(systemText);
  await call();
  sandbox.clock.advance(1);
  const rejected = await expectRule(call(), 'messaging-system-text-ended');
  expect(rejected).toMatchObject({ body: coded('3091'), choice: 'messaging-system-text-code' });
  await api.messaging.campaigns.create(system);
});

test('the text of a system message must match an approved template of its sender [messaging-system-text-matches-template]', async () => {
  const { api } = start({ startAt: ended - day });
  const passes = [
    'Hello Ann, the contract of your Team plan is ready.',
    'Hello {{name}}, the contract of your {{plan}} plan is ready.',
  ];
  for (const message of passes) await api.messaging.campaigns.create({ ...systemText, message });
  const rejected = [
    'Hello Ann, the contract of your Team plan is ready!',
    'Hello , the contract of your Team plan is ready.',
    // 701 is not approved. 702 belongs to another sender.
    'Your plan Team ends soon.',
    'Your invoice 17 is paid.',
    `Hello Ann, the contract of your ${'x'.repeat(126)} plan is ready.`,
  ];
  for (const message of rejected)
    await expectRule(
      api.messaging.campaigns.create({ ...systemText, message }),
      'messaging-system-text-matches-template',
    );
  await api.messaging.campaigns.create({ ...systemText, sender_id: 7, message: 'Your invoice 17 is paid.' });
});

test('checks codes after the shape and before plain limits', async () => {
  const { sandbox } = start();
  const many = Array.from({ length: 1_001 }, (_, place) => 15550000001 + place);
  const responseTo = async (body: unknown) => (await send(sandbox, '/msgr', body)).json();
  expect(await responseTo({ ...system, recipients: many })).toEqual(coded('3086'));
  expect(await responseTo({ ...system, variables: { name: 'Ann', plan: 'x'.repeat(126) } })).toEqual(coded('3088'));
  expect(await responseTo({ ...system, message_live_time: 1, template_id: 701 })).toEqual(coded('3084'));
  expect(await responseTo({ ...system, sender_id: 'MyShop', template_id: 701 })).toHaveProperty('violations');
  expect(await responseTo({ ...system, message_live_time: 1 })).toHaveProperty('violations');
  expect(await responseTo({ ...promo, recipients: many })).toHaveProperty('violations');
});

test('checks codes before rules without a code, in a fixed order', async () => {
  const { sandbox } = start();
  const code = async (body: object) =>
    (await send(sandbox, '/msgr', { ...system, additional: { button }, sender_id: 99, ...body })).json();
  const wrong = { variables: { name: 'https://example.com' }, template_id: 701, message: 'Text' };
  expect(await code({ ...wrong, recipients: [1, 2] })).toEqual(coded('3086'));
  expect(await code(wrong)).toEqual(coded('3093'));
  expect(await code({ ...wrong, message: null, template_id: 799 })).toEqual(coded('3091'));
  expect(await code({ ...wrong, message: null })).toEqual(coded('3084'));
  expect(await code({ ...wrong, message: null, template_id: 702 })).toEqual(coded('3087'));
  expect(await code({ ...wrong, message: null, template_id: 700, sender_id: 5 })).toEqual(coded('3085'));
  const link = { name: 'https://example.com', plan: 'Team' };
  expect(await code({ ...wrong, message: null, template_id: 700, sender_id: 5, variables: link })).toEqual(
    coded('3088'),
  );
});
