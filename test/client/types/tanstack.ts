/** Calls and lists with TanStack Query's real types. Checked by `tsc`, never run. */
import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { expectTypeOf } from 'vitest';
import type { Client, Crm, Page } from '../../../src/client/index.ts';

type ContactPage = Page<Crm.Contact, Crm.ContactsListMeta>;

export function queries(api: Client): void {
  const deal = useQuery({ queryKey: ['deal', 501], queryFn: () => api.crm.deals.get({ dealId: 501 }) });
  expectTypeOf(deal.data).toEqualTypeOf<Crm.DealsGetResult | undefined>();

  const contacts = useQuery({
    queryKey: ['contacts'],
    queryFn: ({ signal }) => api.crm.contacts.list({ limit: 20 }, { signal }),
  });
  expectTypeOf(contacts.data).toEqualTypeOf<ContactPage | undefined>();

  const options = queryOptions({ queryKey: ['contacts'], queryFn: () => api.crm.contacts.list(), staleTime: 1_000 });
  expectTypeOf(useQuery(options).data).toEqualTypeOf<ContactPage | undefined>();
}

export function pages(api: Client): void {
  const options = infiniteQueryOptions({
    queryKey: ['contacts'],
    queryFn: ({ pageParam }) => api.crm.contacts.list({ offset: pageParam }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.nextOffset,
  });
  expectTypeOf(useInfiniteQuery(options).data?.pages).toEqualTypeOf<ContactPage[] | undefined>();
}

export function promises(api: Client): void {
  const first = <T>(run: () => Promise<T>): Promise<T> => run();
  expectTypeOf(first(() => api.crm.contacts.list())).toEqualTypeOf<Promise<ContactPage>>();
  expectTypeOf(api.crm.contacts.list()).toExtend<Promise<ContactPage>>();
  expectTypeOf(api.crm.contacts.list().finally(() => undefined)).toEqualTypeOf<Promise<ContactPage>>();
}
