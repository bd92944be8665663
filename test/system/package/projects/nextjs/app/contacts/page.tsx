import { api } from '../service';
import { Contacts } from './contacts';

export default async function Page({ searchParams }: { searchParams: Promise<{ offset?: string }> }) {
  const { offset = '0' } = await searchParams;
  const page = await api.crm.contacts.list({ limit: 5, offset: Number(offset) });
  return <Contacts page={page} />;
}
