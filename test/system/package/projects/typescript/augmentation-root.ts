/** An account's custom field, in a program that imports only the root. */
import { type Crm, createClient } from 'carillon';

declare module 'carillon/crm' {
  interface DealFields {
    my_field?: string;
  }
}

export async function field(): Promise<Crm.Deal['my_field']> {
  const api = createClient({ baseUrl: 'https://api.example.com', auth: null });
  return (await api.crm.deals.get({ dealId: 501 })).my_field;
}
