/** An account's custom field, in a program that imports only the path level. */
import { type Crm, createPathsClient } from 'carillon/paths';

declare module 'carillon/crm' {
  interface DealFields {
    my_field?: string;
  }
}

export async function field(): Promise<Crm.Deal['my_field']> {
  const api = createPathsClient({ baseUrl: 'https://api.example.com', auth: null });
  const { data } = await api.crm.GET('/deals/{dealId}', { params: { path: { dealId: 501 } } });
  return data?.my_field;
}
