import { effectOf } from '../../spec/effect.ts';
import { resolve, type SpecOperation } from '../../spec/model.ts';
import { placeOf } from '../model/method-tree.ts';
import type { OperationModel } from '../model/operation-model.ts';

/** Queries that mutations make stale beyond their own resource. */
interface QueryEffects {
  /** Resource → queries of other resources that return its records or take its ID. */
  shown: Record<string, string[]>;
  /** Mutation → other resources that it changes, and queries of other resources. */
  changes: Record<string, string[]>;
}

/** Whether an operation only reads, so that its result can be cached. */
export function isQuery({ operation }: SpecOperation): boolean {
  return effectOf(operation).kind === 'read';
}

/**
 * Derives the stale queries of each mutation from tags, paths and responses. A mutation changes its own resource and the
 * resources whose IDs are in its path. A query of another resource becomes stale if it returns records of the changed resources,
 * takes their IDs, or shares the mutation's tag, as attribute definitions and values do.
 */
export function queryEffects(operations: OperationModel[]): QueryEffects {
  const queries = operations.filter(isQuery);
  const mutations = operations.filter((each) => !isQuery(each));
  /** Resources that can change, without the operation's own. */
  const others = (operation: OperationModel, found: string[]): string[] => {
    const changing = new Set(mutations.map(resourceOf));
    return [...new Set(found)].filter((resource) => resource !== resourceOf(operation) && changing.has(resource));
  };
  const shown: Record<string, string[]> = {};
  for (const query of queries) {
    const records = queries.filter((each) => isDirect(each) && recordOf(each) === recordOf(query));
    for (const resource of others(query, [...namedIn(query), ...records.map(resourceOf)])) {
      shown[resource] = [...(shown[resource] ?? []), query.place];
    }
  }
  const changes: Record<string, string[]> = {};
  for (const mutation of mutations) {
    const found = others(mutation, namedIn(mutation));
    const alike = queries.filter(
      (query) => others(query, [resourceOf(mutation)]).length > 0 && shareTag(query, mutation),
    );
    const places = alike.map(({ place }) => place).filter((place) => !shown[resourceOf(mutation)]?.includes(place));
    if (found.length + places.length > 0) changes[mutation.place] = [...found, ...places];
  }
  return { shown, changes };
}

function shareTag(one: OperationModel, other: OperationModel): boolean {
  return one.operation.tags.some((tag) => other.operation.tags.includes(tag));
}

/** The first part of an operation's path in the client: `deals` of `deals.comments.create`. */
function resourceOf(operation: OperationModel): string {
  return placeOf(operation)[0] ?? '';
}

/** `deals.list`, not `deals.comments.list`. */
function isDirect(operation: OperationModel): boolean {
  return placeOf(operation).length === 2 && /^(?:get|list)$/.test(placeOf(operation)[1] ?? '');
}

/** The resources whose records the path names: `/deals/{dealId}/contacts/{contactId}` names deals and contacts. */
function namedIn({ path }: OperationModel): string[] {
  return [...path.matchAll(/\{(\w+)Id\}/g)].map(([, record = '']) => `${record}s`);
}

/** The component of the payload or of its items. An unnamed payload matches no other payload. */
function recordOf({ spec, envelope, operationId }: OperationModel): string {
  const { payload } = envelope;
  const reference = payload?.$ref ?? (payload && resolve(spec.openapi, payload).items?.$ref);
  return reference ?? operationId;
}
