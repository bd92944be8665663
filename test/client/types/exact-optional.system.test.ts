import { expect, test } from 'vitest';
import { compile } from '../../support/compile.ts';

const program = `import { createClient, type Crm } from 'carillon';
const api = createClient({ baseUrl: 'https://api.example.com', auth: null });
const query: { limit?: number | undefined } = {};
const name: string | undefined = undefined;
const attributes: readonly Crm.AttributeValueInput[] = [{ attributeId: 210, value: undefined }];
await api.crm.deals.create({ pipelineId: 1, stepId: 11, name, attributes });
await api.crm.deals.changePipeline({ dealId: 501, pipelineId: 2, stepId: undefined });
await api.crm.contacts.list({ firstName: name, limit: query.limit });
await api.email.messages.list({ limit: query.limit, sender: name });
await api.email.messages.send({
  subject: 'Hello',
  from: { email: 'sales@example.com', name },
  to: [],
  cc: undefined,
  template: { id: 700, variables: undefined },
  html: undefined,
  attachments_binary: undefined,
});
await api.email.GET('/smtp/emails', { params: { query: { limit: query.limit, sender: name } } });
await api.email.GET('/smtp/emails', { params: { query: undefined } });
await api.email.GET('/smtp/emails', { params: undefined, timeout: undefined });
await api.crm.POST('/pipelines', { body: undefined });
await api.crm.POST('/pipelines', { body: { name } });
const deal: Crm.Deal = await api.crm.deals.get({ dealId: 501 });
// @ts-expect-error a response has no field that is undefined
deal.name = undefined;
export {};
`;

test('optional parameters and request fields accept undefined with exactOptionalPropertyTypes', async () => {
  const sources = new Map([['exact.ts', program]]);
  expect(await compile({ sources, options: { exactOptionalPropertyTypes: true } })).toEqual([]);
});
