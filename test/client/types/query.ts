/** The factories of `carillon/query` with TanStack Query's real types. Checked by `tsc`, never run. */
import {
  type InfiniteData,
  InfiniteQueryObserver,
  MutationObserver,
  type QueryClient,
  QueryObserver,
} from '@tanstack/query-core';
import {
  useInfiniteQuery,
  useMutation,
  usePrefetchQuery,
  useQueries,
  useQuery,
  useSuspenseInfiniteQuery,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { expectTypeOf } from 'vitest';
import type { Product } from '../../../generated/products.ts';
import type { CrmClient } from '../../../src/client/crm.ts';
import type { Client, Crm } from '../../../src/client/index.ts';
import { createQuery, type Page, type Queries } from '../../../src/client/query/index.ts';

type ContactPage = Page<Crm.Contact, Crm.ContactsListMeta>;

export function queries({ crm, email }: Queries, cache: QueryClient): void {
  const deal = crm.deals.get.options({ dealId: 501 });
  expectTypeOf(useQuery(deal).data).toEqualTypeOf<Crm.DealsGetResult | undefined>();
  expectTypeOf(useSuspenseQuery(deal).data).toEqualTypeOf<Crm.DealsGetResult>();
  expectTypeOf(useQuery({ ...deal, select: ({ name }) => name }).data).toEqualTypeOf<string | undefined>();
  expectTypeOf(useQuery({ ...deal, enabled: false, staleTime: 1_000 }).error).toEqualTypeOf<Error | null>();
  const [first] = useQueries({ queries: [deal, crm.users.list.options()] });
  expectTypeOf(first.data).toEqualTypeOf<Crm.DealsGetResult | undefined>();
  usePrefetchQuery(deal);

  expectTypeOf(cache.fetchQuery(deal)).resolves.toEqualTypeOf<Crm.DealsGetResult>();
  expectTypeOf(cache.getQueryData(deal.queryKey)).toEqualTypeOf<Crm.DealsGetResult | undefined>();
  cache.setQueryData(deal.queryKey, (old) => old && { ...old, name: 'Renewal' });
  // @ts-expect-error not a deal
  cache.setQueryData(deal.queryKey, { id: 501, name: 7 });
  void cache.invalidateQueries({ queryKey: crm.deals.key });
  expectTypeOf(new QueryObserver(cache, deal).getCurrentResult().data).toEqualTypeOf<Crm.DealsGetResult | undefined>();
  expectTypeOf(useQuery(email.messages.count.options()).data).toExtend<object | undefined>();
}

export function lists({ crm, messaging }: Queries, cache: QueryClient): void {
  expectTypeOf(useQuery(crm.contacts.list.options({ limit: 20 })).data).toEqualTypeOf<ContactPage | undefined>();
  const contacts = crm.contacts.list.infinite({ firstName: 'Ann' });
  expectTypeOf(useInfiniteQuery(contacts).data?.pages).toEqualTypeOf<ContactPage[] | undefined>();
  expectTypeOf(useSuspenseInfiniteQuery(contacts).data.pages).toEqualTypeOf<ContactPage[]>();
  const items = useInfiniteQuery({ ...contacts, select: ({ pages }) => pages.flatMap(({ data }) => data) });
  expectTypeOf(items.data).toEqualTypeOf<Crm.Contact[] | undefined>();
  expectTypeOf(cache.fetchInfiniteQuery(contacts)).resolves.toEqualTypeOf<InfiniteData<ContactPage, number>>();
  expectTypeOf(cache.getQueryData(contacts.queryKey)?.pages).toEqualTypeOf<ContactPage[] | undefined>();
  expectTypeOf(new InfiniteQueryObserver(cache, contacts).getCurrentResult().data?.pages).toEqualTypeOf<
    ContactPage[] | undefined
  >();
  useInfiniteQuery(messaging.push.websites.listSubscribers.infinite({ id: 1 }));
}

export function mutations({ crm, messaging }: Queries, cache: QueryClient): void {
  const update = useMutation(crm.deals.changePipeline.mutation());
  expectTypeOf(update.mutate).parameter(0).toEqualTypeOf<Crm.DealsChangePipelineParams>();
  update.mutate({ dealId: 501, pipelineId: 1, stepId: 12 });
  // @ts-expect-error a misspelt parameter
  update.mutate({ dealId: 501, pipelineID: 1, stepId: 12 });
  expectTypeOf(useMutation(crm.deals.create.mutation()).data).toEqualTypeOf<Crm.DealsCreateResult | undefined>();

  const optimistic = useMutation({
    ...crm.deals.changePipeline.mutation(),
    onMutate: ({ dealId }) => ({ before: cache.getQueryData(crm.deals.get.options({ dealId }).queryKey) }),
    onError: (_error, { dealId }, shown) =>
      cache.setQueryData(crm.deals.get.options({ dealId }).queryKey, shown?.before),
  });
  expectTypeOf(optimistic.context).toEqualTypeOf<{ before: Crm.DealsGetResult | undefined } | undefined>();
  new MutationObserver(cache, messaging.blacklist.add.mutation());
  cache.setMutationDefaults(crm.deals.changePipeline.key, crm.deals.changePipeline.mutation());
}

export function misuse({ crm }: Queries): void {
  // @ts-expect-error a misspelt parameter
  crm.deals.get.options({ dealID: 501 });
  // @ts-expect-error a required parameter is missing
  crm.deals.get.options();
  // @ts-expect-error not a list
  crm.deals.get.infinite({ dealId: 501 });
  // @ts-expect-error it changes data
  crm.deals.update.options({ dealId: 501 });
  // @ts-expect-error it changes no data
  crm.deals.get.mutation();
}

export function parts(api: Client, crm: CrmClient): void {
  expectTypeOf(createQuery(api)).toEqualTypeOf<Pick<Queries, Product>>();
  expectTypeOf(createQuery({ crm })).toEqualTypeOf<Pick<Queries, 'crm'>>();
  // @ts-expect-error only the given parts
  createQuery({ crm }).email;
}
