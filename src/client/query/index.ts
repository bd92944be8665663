/**
 * TanStack Query options for every operation. Requires an adapter such as `@tanstack/react-query`, but uses only its types.
 *
 * @module carillon/query
 */
export type { CrmQueries, EmailQueries, MessagingQueries, Queries } from '../../../generated/queries.ts';
export type { Page } from '../../shared/call-types.ts';
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
} from '../../shared/query-types.ts';
export { createQuery, type QueryClients, type QuerySettings } from './create-query.ts';
