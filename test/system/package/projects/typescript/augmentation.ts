/** What an account returns, declared once per record: custom fields, and fields whose types are not documented. */
import { createClient, type Email, type Messaging } from 'carillon';
import { createCrmClient, type Deal } from 'carillon/crm';
import { createPathsClient } from 'carillon/paths';

declare module 'carillon/crm' {
  interface DealFields {
    my_field?: string;
    attributes?: { attributeId: number }[];
  }
  interface ContactFields {
    phones?: { id: number; phone: string }[];
    tags: string[];
    // @ts-expect-error the documents say that it is a string
    firstName?: number;
  }
}
declare module 'carillon/messaging' {
  interface SubscriberFields {
    variables: { key: string }[];
  }
}
declare module 'carillon/email' {
  interface SendingDomainAddedFields {
    error: string | null;
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

export async function openFields(): Promise<(string | null | undefined)[]> {
  const api = createClient(options);
  const [contact] = await api.crm.contacts.list().toArray({ max: 1 });
  const { data } = await createPathsClient(options).crm.GET('/contacts/{contactId}', {
    params: { path: { contactId: 3001 } },
  });
  await api.crm.contacts.createLegacy({ responsibleId: 77, phones: ['+15550100'], tags: [15] });
  // @ts-expect-error bodies keep the documented form
  await api.crm.contacts.createLegacy({ responsibleId: 77, phones: [{ id: 1, phone: '+15550100' }] });
  return [contact?.phones?.[0]?.phone, contact?.tags[0], contact?.firstName, data?.phones?.[0]?.phone];
}

export const variable = ({ variables }: Messaging.Subscriber): string | undefined => variables[0]?.key;
export const error = ({ error }: Email.DomainsAddResult): string | null => error;
