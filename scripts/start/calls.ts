import { inspect } from 'node:util';
import { createClient } from '../../src/index.ts';

/** Makes typed calls against a running mock and shows each beside its answer. */
export async function showCalls(baseUrl: string): Promise<void> {
  const api = createClient({ baseUrl, auth: { apiKey: 'any' } });

  const deal = await api.crm.POST('/deals', {
    body: { pipelineId: 1, stepId: 11, name: 'Annual plan renewal', price: 1200, currency: 'EUR' },
  });
  show("api.crm.POST('/deals', { body: { pipelineId: 1, stepId: 11, name: 'Annual plan renewal', … } })", deal);

  const contacts = await api.crm.POST('/contacts/get-list', { body: { limit: 2, firstName: 'Ann' } });
  show("api.crm.POST('/contacts/get-list', { body: { limit: 2, firstName: 'Ann' } })", contacts);

  const email = await api.email.POST('/smtp/emails', {
    body: {
      email: {
        subject: 'Your plan renews soon',
        from: { name: 'Example Sales', email: 'sales@example.com' },
        to: [{ name: 'Ann Kowal', email: 'ann.kowal@example.com' }],
        html: btoa('<p>Hello Ann</p>'),
        text: 'Hello Ann',
      },
    },
  });
  show("api.email.POST('/smtp/emails', { body: { email: { subject: 'Your plan renews soon', … } } })", email);

  const push = await api.messaging.GET('/push/tasks/{id}', { params: { path: { id: 8101 } } });
  show("api.messaging.GET('/push/tasks/{id}', { params: { path: { id: 8101 } } })", push);

  const refused = await api.crm.POST('/deals', { body: { pipelineId: 1, stepId: 11, name: 'x'.repeat(256) } });
  show("api.crm.POST('/deals', { body: { …, name: 'x'.repeat(256) } })", refused);
}

function show(
  call: string,
  { data, meta, error, response }: { data?: unknown; meta?: unknown; error?: Error; response: Response },
): void {
  console.log(`\n  ${call}`);
  const lines = error ? [['error', error.message]] : [['data', data], ...(meta ? [['meta', meta]] : [])];
  for (const [name, value] of lines) {
    const text = typeof value === 'string' ? value : inspect(value, { depth: 2, maxArrayLength: 1, breakLength: 96 });
    console.log(`  ${response.status} ${name} ${text.replaceAll('\n', '\n    ')}`);
  }
}
