import { inspect } from 'node:util';
import { Crm, createClient, isCarillonError } from '../../../src/index.ts';

/**
 * Makes typed calls against a running sandbox and shows each with its answer: a deal is created and fails, a rule refuses, an
 * email is sent and found again.
 */
export async function showCalls(baseUrl: string): Promise<void> {
  const api = createClient({ baseUrl, auth: { apiKey: 'any' } });
  const { Fail } = Crm.DealStatus;

  const deal = await show(
    "const deal = await api.crm.deals.create({ pipelineId: 2, stepId: 21, name: 'First week', price: 300 })",
    api.crm.deals.create({ pipelineId: 2, stepId: 21, name: 'First week', price: 300 }),
  );
  await show('await api.crm.deals.get({ dealId: deal.id })', api.crm.deals.get({ dealId: deal.id }));

  const update = { dealId: deal.id, pipelineId: 2, stepId: 21, name: 'First week', price: 300 };
  await show(
    'await api.crm.deals.update({ dealId: deal.id, …, status: DealStatus.Fail })   takes the default fail reason',
    api.crm.deals.update({ ...update, status: Fail }),
  );
  for (const { id, isEnabled } of await api.crm.pipelines.failReasons.list({ pipelineId: 2 })) {
    if (!isEnabled) continue;
    await show(
      `await api.crm.pipelines.failReasons.update({ pipelineId: 2, reasonId: ${id}, isEnabled: false })`,
      api.crm.pipelines.failReasons.update({ pipelineId: 2, reasonId: id, isEnabled: false }),
    );
  }
  await showRefusal(
    'await api.crm.deals.update({ dealId: deal.id, …, status: DealStatus.Fail })   no fail reason is left',
    api.crm.deals.update({ ...update, status: Fail }),
  );

  await show(
    "await api.crm.contacts.list({ firstName: 'Ann' }).toArray({ max: 2 })",
    api.crm.contacts.list({ firstName: 'Ann' }).toArray({ max: 2 }),
  );
  const sent = await show(
    "const sent = await api.email.messages.send({ subject: 'Your plan renews soon', from, to, html: '<p>Hello Ann</p>', text: 'Hello Ann' })",
    api.email.messages.send({
      subject: 'Your plan renews soon',
      from: { name: 'Example Sales', email: 'sales@example.com' },
      to: [{ name: 'Ann Kowal', email: 'ann.kowal@example.com' }],
      html: '<p>Hello Ann</p>',
      text: 'Hello Ann',
    }),
  );
  await show('await api.email.messages.get({ id: sent.id })', api.email.messages.get({ id: sent.id }));
}

async function show<Result>(call: string, pending: PromiseLike<Result>): Promise<Result> {
  console.log(`\n  ${call}`);
  const result = await pending;
  print('→', result);
  return result;
}

async function showRefusal(call: string, pending: PromiseLike<unknown>): Promise<void> {
  console.log(`\n  ${call}`);
  try {
    await pending;
  } catch (error) {
    if (!isCarillonError(error, 'ApiError')) throw error;
    print('✗', error.message);
    print(' ', error.body);
    print(' ', `x-sandbox-rule: ${error.headers.get('x-sandbox-rule')}`);
    return;
  }
  throw new Error('The sandbox accepted what a rule refuses');
}

function print(mark: string, value: unknown): void {
  const text = typeof value === 'string' ? value : inspect(value, { depth: 4, breakLength: 100, maxStringLength: 80 });
  console.log(`  ${mark} ${text.replaceAll('\n', '\n    ')}`);
}
