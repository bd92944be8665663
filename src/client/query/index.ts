/**
 * TanStack Query options for every operation. Requires an adapter such as `@tanstack/react-query`, but uses only its types.
 *
 * @module carillon/query
 */
export type * from '../../../generated/queries.ts';
export type { Page } from '../core/list-reader.ts';
export { createQuery, type QuerySettings } from './create-query.ts';
export type {
  DataKey,
  InfiniteOptions,
  Invalidates,
  KeyPrefix,
  ListQuery,
  Mutation,
  MutationOptions,
  Query,
  QueryOptions,
} from './factories.ts';
