import type { dataTagErrorSymbol, dataTagSymbol, InfiniteData } from '@tanstack/query-core';
import type { Page } from './call-types.ts';

/** Prefix of query keys, such as `['crm', 'deals']` for all queries about deals. */
export type KeyPrefix = readonly string[];

/** The key of a query. Its type determines the data type of `getQueryData` and `setQueryData`. */
export interface DataKey<Data> extends ReadonlyArray<unknown> {
  /** Type of the data, for TanStack Query. Exists only in types. */
  readonly [dataTagSymbol]: Data;
  /** Type of the error, for TanStack Query. Exists only in types. */
  readonly [dataTagErrorSymbol]: Error;
}

/** Options of a query, for `useQuery`, `prefetchQuery` and similar functions. */
export interface QueryOptions<Data> {
  /** Path of the operation in the client, and its parameters. */
  readonly queryKey: DataKey<Data>;
  /** Calls the operation. If the component unmounts, TanStack Query aborts the call, which is not an error. */
  readonly queryFn: (context: { signal: AbortSignal }) => Promise<Data>;
  /** The client has already retried if that was safe. */
  readonly retry: false;
}

/** Options of an infinite query, for `useInfiniteQuery` and similar functions. */
export interface InfiniteOptions<Data> {
  /** Path of the operation in the client, its parameters, and `'infinite'`. */
  readonly queryKey: DataKey<InfiniteData<Data, number>>;
  /** Requests the page at an offset. */
  readonly queryFn: (context: { signal: AbortSignal; pageParam: number }) => Promise<Data>;
  /** The `offset` in the parameters, or 0. */
  readonly initialPageParam: number;
  /** The offset of the next page, or `undefined` at the end of the list. */
  readonly getNextPageParam: (last: Data, all: Data[]) => number | undefined;
  /** The client has already retried if that was safe. */
  readonly retry: false;
}

/** Options of a mutation, for `useMutation` and similar functions. */
export interface MutationOptions<Params, Data> {
  /** Path of the operation in the client. */
  readonly mutationKey: KeyPrefix;
  /** Calls the operation. */
  readonly mutationFn: (params: Params) => Promise<Data>;
  /** Invalidates the queries that the operation may have changed, even after an error, because the call may have been processed. */
  readonly onSettled: (
    data: Data | undefined,
    error: Error | null,
    params: Params,
    result: unknown,
    context: { client: Invalidates },
  ) => Promise<unknown>;
  /** The client has already retried if that was safe. */
  readonly retry: false;
}

/** The part of a `QueryClient` that a mutation needs. */
export interface Invalidates {
  /** Marks queries as stale and refetches active ones. */
  invalidateQueries(filters: { queryKey: readonly unknown[] }): Promise<unknown>;
}

/** An operation that reads. */
export interface Query<Args extends unknown[], Data> {
  /** Key prefix of all queries of the operation. */
  readonly key: KeyPrefix;
  /** Options of a query with these parameters. */
  options(...args: Args): QueryOptions<Data>;
}

/** An operation that reads a list page by page. */
export interface ListQuery<Args extends unknown[], Item, Meta = undefined> {
  /** Key prefix of all queries of the operation. */
  readonly key: KeyPrefix;
  /** Options of a query for one page: the first page, or the page at `offset`. */
  options(...args: Args): QueryOptions<Page<Item, Meta>>;
  /** Options of an infinite query that begins at `offset`. */
  infinite(...args: Args): InfiniteOptions<Page<Item, Meta>>;
}

/** An operation that changes or sends something. */
export interface Mutation<Params, Data> {
  /** Key of the mutation. */
  readonly key: KeyPrefix;
  /** Key prefixes of all queries that the operation makes stale. */
  readonly stale: readonly KeyPrefix[];
  /** Options of the mutation. Its variables are the parameters of the method. */
  mutation(): MutationOptions<Params, Data>;
}

/** Data that the query factories of a spec need in addition to its methods. Generated from the spec. */
export interface QueryTable {
  /** Queries whose methods take no parameters. */
  readonly bare: readonly string[];
  /** Maps each resource to the queries of other resources that contain its records or filter by them. */
  readonly shown: Readonly<Record<string, readonly string[]>>;
  /** Maps each mutation to the other resources that it changes, and to the queries of other resources that it makes stale. */
  readonly changes: Readonly<Record<string, readonly string[]>>;
}
