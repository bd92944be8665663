import { inspect } from 'node:util';
import { createClient, isApiError } from '../../src/index.ts';

/** Makes typed calls against a running mock and shows each beside its answer. */
export async function showCalls(baseUrl: string): Promise<void> {
  const api = createClient({ baseUrl, auth: { apiKey: 'any' } });

  await show(
    "api.crm.deals.create({ pipelineId: 1, stepId: 11, name: 'Annual plan renewal', price: 1200 })",
    api.crm.deals.create({ pipelineId: 1, stepId: 11, name: 'Annual plan renewal', price: 1200 }),
  );
  await show(
    "api.crm.contacts.list({ firstName: 'Ann' }).toArray({ max: 2 })",
    api.crm.contacts.list({ firstName: 'Ann' }).toArray({ max: 2 }),
  );
  await show(
    "api.email.messages.send({ subject: 'Your plan renews soon', from, to, html: '<p>Hello Ann</p>', text: 'Hello Ann' })",
    api.email.messages.send({
      subject: 'Your plan renews soon',
      from: { name: 'Example Sales', email: 'sales@example.com' },
      to: [{ name: 'Ann Kowal', email: 'ann.kowal@example.com' }],
      html: '<p>Hello Ann</p>',
      text: 'Hello Ann',
    }),
  );
  await show('api.messaging.push.campaigns.get({ id: 8101 })', api.messaging.push.campaigns.get({ id: 8101 }));
  await show(
    "api.crm.deals.create({ pipelineId: 1, stepId: 11, name: 'x'.repeat(256) })   a name that is too long",
    api.crm.deals.create({ pipelineId: 1, stepId: 11, name: 'x'.repeat(256) }),
  );
}

async function show(call: string, pending: PromiseLike<unknown>): Promise<void> {
  console.log(`\n  ${call}`);
  try {
    print('→', await pending);
  } catch (error) {
    if (!isApiError(error)) throw error;
    print('✗', error.message);
    print(' ', error.body);
  }
}

function print(mark: string, value: unknown): void {
  const text = typeof value === 'string' ? value : inspect(value, { depth: 4, breakLength: 100, maxStringLength: 80 });
  console.log(`  ${mark} ${text.replaceAll('\n', '\n    ')}`);
}
