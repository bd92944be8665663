import { expect, it, onTestFinished } from 'vitest';
import { methods } from '../../../src/cli/catalogue/index.ts';
import { connectAgent } from './connect.ts';

async function connect() {
  const agent = await connectAgent('2026-07-28');
  onTestFinished(() => agent.close());
  return agent;
}

it('reports an undocumented parameter that does not filter', async () => {
  const { call } = await connect();
  const { text } = await call('read', { method: 'crm.deals.list', params: { stepId: 99, limit: 10 } });
  expect(text).toMatch(
    /^In 1 of 1 records, stepId differs from the parameter\. Do not rely on the parameter as a filter\.\n/,
  );
  const unknown = await call('read', { method: 'crm.deals.list', params: { stage: 'won', limit: 10 } });
  expect(unknown.text).toMatch(
    /^The parameter "stage" is not documented, and no record has this field\. The service may have ignored the parameter\.\n/,
  );
  const fitting = await call('read', { method: 'crm.deals.list', params: { stepId: 11, limit: 10 } });
  expect(fitting.text).toMatch(/^crm\.deals\.list: items 0 to 0 of 1\./);
});

it('announces no possibly empty next page for a list without a limit', async () => {
  const { call, context } = await connect();
  const lists = methods.filter(({ paging, requiredParameters }) => paging && !requiredParameters);
  for (const { name, paging, inPath } of lists) {
    const params = Object.fromEntries(Object.keys(inPath).map((field) => [field, 42]));
    const { text, isError } = await call('read', { method: name, params });
    const [, offset] = /Next page: params\.offset = (\d+)/.exec(text) ?? [];
    expect([name, isError, offset]).toEqual([name, false, undefined]);
    expect(paging).toBeDefined();
  }
  expect(context.sandbox?.requests).toHaveLength(lists.length);
  const { text } = await call('read', { method: 'email.messages.list', params: { limit: 1 } });
  expect(text).toContain('Next page: params.offset = 1.');
});

it('does not accept misspelt names in objects at every depth', async () => {
  const { call, context } = await connect();
  const params = {
    subject: 'Hi',
    html: '<p>Hi</p>',
    from: { name: 'A', email: 'a@example.com' },
    to: [{ email: 'b@example.com' }, { email: 'c@example.com', nmae: 'C' }],
  };
  const wrong = await call('send', { method: 'email.messages.send', params });
  expect(wrong.text).toMatch(/^to\[1\] has no field "nmae"\. Did you mean name\? Nothing was sent\./);
  const sorted = await call('read', {
    method: 'crm.contacts.list',
    params: { sortBy: { field: 'id', direction: 'asc' } },
  });
  expect(sorted).toMatchObject({ isError: true, text: expect.stringContaining('sortBy has no field "field"') });
  expect(context.sandbox?.requests).toEqual([]);
});

it('takes params and calls also as JSON text', async () => {
  const { call, context } = await connect();
  const wanted = [
    ['read', { method: 'crm.deals.get', params: '{"dealId":501}' }],
    ['write', { method: 'crm.tags.create', calls: '[{"name":"one"},{"name":"other"}]' }],
    ['write', { method: 'crm.tags.create', calls: ['{"name":"third"}'] }],
  ] as const;
  for (const [tool, input] of wanted) expect(await call(tool, input)).toMatchObject({ isError: false });
  const sent = context.sandbox?.requests.map(({ operation }) => operation);
  expect(sent).toEqual(['getDeal', 'createTag', 'createTag', 'createTag']);
  for (const params of ['{"dealId":501', '[501]', '501'])
    expect(await call('read', { method: 'crm.deals.get', params })).toMatchObject({
      isError: true,
      text: expect.stringContaining('expected object'),
    });
  expect(context.sandbox?.requests).toHaveLength(4);
});

it('names the meant method for a misspelt one', async () => {
  const { call } = await connect();
  const { text, isError } = await call('read', { method: 'crm.contact.lst' });
  expect([isError, text]).toEqual([
    true,
    'There is no method "crm.contact.lst". Similar: crm.contacts.list. Nothing was sent.',
  ]);
});

it('names the known keys for an unknown one', async () => {
  const { call } = await connect();
  const answers = [
    await call('read', { method: 'crm.deals.get', parameters: { dealId: 501 } }),
    await call('describe', { query: 'deals' }),
  ];
  expect(answers).toMatchObject([
    {
      isError: true,
      text: expect.stringContaining(
        'no parameter parameters. Known parameters: method, params, fields, from. Nothing was sent.',
      ),
    },
    {
      isError: true,
      text: expect.stringContaining('no parameter query. Known parameters: methods, method, words. Nothing was sent.'),
    },
  ]);
});

it('sends a value that breaks only an inferred pattern, with a note that shows the pattern and an example', async () => {
  const { call, context } = await connect();
  const params = { phones: ['+15552000004'] };
  const { text } = await call('write', { method: 'messaging.blacklist.add', params });
  expect(text).toMatch(
    /^phones\[0\]: expected integer or string matching \^\\d\+\$, such as 15550100123, not "\+15552000004"\. This limit is assumed, not documented, so it does not stop the call\.\n/,
  );
  expect(context.sandbox?.requests).toHaveLength(1);
});

it('each tool names the areas of its methods', async () => {
  const { client } = await connect();
  const { tools } = await client.listTools();
  for (const { words, effect } of methods) {
    const tool = tools.find(({ name }) => name === effect);
    expect(tool?.description).toMatch(new RegExp(`\\b${words[0]} .*\\b${words[1]}\\b`));
  }
});
