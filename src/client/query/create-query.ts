import { type Queries, queryTables } from '../../../generated/queries.ts';
import type { ProductMethods } from '../../../generated/types.ts';
import type { Page } from '../../shared/call-types.ts';
import type { Invalidates, QueryTable } from '../../shared/query-types.ts';
import { checkOptions } from '../core/check-options.ts';
import { ConfigError } from '../core/errors/local-errors.ts';
import { itemKey } from '../core/list-reader.ts';

/** The clients to create queries for: one client for all products, or clients of single products, keyed by product. */
export type QueryClients = Partial<ProductMethods>;

/** Options of {@link createQuery}. */
export interface QuerySettings {
  /** Prefix of every key. If several accounts share a cache, use a different prefix for each. */
  prefix?: readonly string[] | undefined;
}

type Method = (...args: unknown[]) => PromiseLike<unknown>;

/**
 * Creates TanStack Query options for every operation of a client: `options` for a query, `infinite` for the pages of a list,
 * `mutation` for an operation that changes or sends something. They work with every adapter: React, Vue, Svelte, Solid and
 * Angular.
 *
 * The options set `retry: false`, because the client itself retries when that is safe. Each query passes its `signal` to the
 * client. A mutation invalidates the queries that it makes stale, whether it succeeds or fails.
 *
 * @param clients - a client from `createClient`, or clients of single products: `{ crm: createCrmClient(…) }`
 * @param settings - prefix of every key
 * @returns the factories, in the same structure as the methods of the client
 * @throws `ConfigError` if a setting is unknown
 * @example
 * ```ts
 * import { QueryClient } from '@tanstack/query-core';
 * import { createClient } from 'carillon';
 * import { createQuery } from 'carillon/query';
 *
 * const query = createQuery(createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } }));
 * const cache = new QueryClient();
 * const deal = await cache.fetchQuery(query.crm.deals.get.options({ dealId: 501 }));
 * console.log(deal.name);
 * await cache.invalidateQueries({ queryKey: query.crm.deals.key });
 * ```
 */
export function createQuery<Clients extends QueryClients>(
  clients: Clients,
  settings?: QuerySettings,
): Pick<Queries, keyof Clients & keyof Queries>;
export function createQuery(clients: object, settings: QuerySettings = {}): object {
  if (typeof clients !== 'object' || clients === null)
    throw new ConfigError('createQuery needs a client, or an object of clients keyed by product');
  checkOptions(settings, ['prefix']);
  const { prefix = [] } = settings;
  if (!Array.isArray(prefix)) throw new ConfigError('prefix must be a list of strings');
  return Object.fromEntries(
    Object.entries(queryTables).flatMap(([name, table]) => {
      const methods: unknown = Reflect.get(clients, name);
      return methods ? [[name, makeGroup(methods, [...prefix, name], [], table)]] : [];
    }),
  );
}

/** Creates the factories for a group of methods and its nested groups. */
function makeGroup(methods: object, product: string[], place: string[], table: QueryTable): object {
  const group: Record<string, unknown> = { key: [...product, ...place] };
  for (const [name, value] of Object.entries(methods)) {
    const own = [...place, name];
    if (typeof value === 'object') group[name] = makeGroup(value, product, own, table);
    // At the top level, functions such as `GET` and `withOptions` are not operations.
    else if (place[0]) group[name] = makeOperation(value, product, own, table);
  }
  return group;
}

/** Creates all factories for an operation. The type of the operation declares only the factories that apply. */
function makeOperation(method: Method, product: string[], place: string[], table: QueryTable): object {
  const key = [...product, ...place];
  const id = place.join('.');
  const [resource = ''] = place;
  const call = (params: unknown, signal?: AbortSignal): PromiseLike<unknown> =>
    table.bare.includes(id) ? method({ signal }) : method(params, { signal });
  const stale = [resource, ...(table.changes[id] ?? [])]
    .flatMap((changed) => [changed, ...(table.shown[changed] ?? [])])
    .map((name) => [...product, ...name.split('.')]);
  return {
    key,
    stale,
    options: (params: object = {}) => ({
      queryKey: [...key, params],
      queryFn: async ({ signal }: { signal: AbortSignal }) => call(params, signal),
      retry: false,
    }),
    infinite: (params: { offset?: number } = {}) => ({
      queryKey: [...key, params, 'infinite'],
      queryFn: async ({ signal, pageParam }: { signal: AbortSignal; pageParam: number }) =>
        call(pageParam ? { ...params, offset: pageParam } : params, signal),
      initialPageParam: params.offset ?? 0,
      getNextPageParam,
      retry: false,
    }),
    mutation: () => ({
      mutationKey: key,
      mutationFn: async (params: unknown) => call(params),
      onSettled: (...[, , , , { client }]: [unknown, unknown, unknown, unknown, { client: Invalidates }]) =>
        Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey }))),
      retry: false,
    }),
  };
}

/** Ends at a page that only repeats earlier items, or at a second empty page, as the lists of the client do. */
function getNextPageParam(last: Page<unknown>, all: Page<unknown>[]): number | undefined {
  // An unexpected response may not be a list.
  if (!Array.isArray(last.data)) return undefined;
  const earlier = all.slice(0, -1);
  if (last.data.length === 0) return earlier.at(-1)?.data.length === 0 ? undefined : last.nextOffset;
  const known = new Set(earlier.flatMap(({ data }) => data.map(itemKey)));
  return last.data.every((item) => known.has(itemKey(item))) ? undefined : last.nextOffset;
}
