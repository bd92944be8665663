/** An account's custom field, added once to a record. Every call that returns the record has it. */
import { createClient } from 'carillon';
import { createCrmClient, type Deal } from 'carillon/crm';
import { createPathsClient } from 'carillon/paths';

declare module 'carillon/crm' {
  interface DealFields {
    my_field?: string;
  }
}

const options = { baseUrl: 'https://api.example.com', auth: { apiKey: 'key' } };
const path = { dealId: 501 };

export async function fields(): Promise<(string | undefined)[]> {
  const api = createClient(options);
  const got = await api.crm.deals.get({ dealId: 501 });
  const created = await api.crm.deals.create({ pipelineId: 1, stepId: 11 });
  const alone = await createCrmClient(options).deals.get({ dealId: 501 });
  const { data } = await createPathsClient(options).crm.GET('/deals/{dealId}', { params: { path } });
  const listed: Deal[] = await api.crm.contacts.listDeals({ contactId: 3001 });
  return [got.my_field, created.my_field, alone.my_field, data?.my_field, listed[0]?.my_field];
}
