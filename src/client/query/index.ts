/**
 * TanStack Query options for every operation. Requires an adapter such as `@tanstack/react-query`, but uses only its types.
 *
 * @module carillon/query
 */
export type { CrmQueries } from '../../../generated/crm/queries.ts';
export type { EmailQueries } from '../../../generated/email/queries.ts';
export type { MessagingQueries } from '../../../generated/messaging/queries.ts';
export type { Page } from '../core/list-reader.ts';
export { createQuery, type Queries, type QueryParts, type QuerySettings } from './create-query.ts';
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
