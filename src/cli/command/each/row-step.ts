import { createHash } from 'node:crypto';
import { type Client, isCarillonError } from 'carillon';
import { type Found, findMarked, foundBy, type JobStep, LookupUnclearError, RowRejectedError } from 'carillon-jobs';
import { isRecord } from '../../../shared/is-record.ts';
import { callMethod, listMethod } from '../../catalogue/call-method.ts';
import type { Params } from '../../catalogue/check-names.ts';
import type { Method } from '../../catalogue/methods.ts';
import { type Search, searchOf, withMarker } from './marker.ts';

/** Stored field that identifies the shared parameters of all rows. The shared parameters are not stored with each row. */
export const sharedBy = 'carillon:shared';

/**
 * Creates the step that calls a method.
 *
 * @param fixed - parameters that all rows share
 * @param onResponse - receives the error of each request, or `undefined`
 */
export function createStep(method: Method, fixed: Params, onResponse: (error: unknown) => void): JobStep<Params> {
  const shared = hashOf(JSON.stringify(fixed));
  const search = searchOf(method);
  const isIdempotent = method.effect !== 'send';
  /** Keys of deletions that are sent again. The first request may have deleted the record. */
  const repeated = new Set<string>();
  return {
    name: method.name,
    async send({ [sharedBy]: by, ...own }, { api, key, marker, signal }) {
      if (by !== shared)
        throw new RowRejectedError(
          'an earlier run planned this row with different shared parameters; run the command again',
        );
      try {
        const response = await callMethod(api, method.name, withMarker(method, { ...fixed, ...own }, marker), {
          signal,
        });
        onResponse(undefined);
        const id = isRecord(response) ? response.id : undefined;
        return typeof id === 'number' || (typeof id === 'string' && id !== '') ? id : 'done';
      } catch (error) {
        if (repeated.has(key) && isCarillonError(error, 'NotFoundError')) return 'done';
        onResponse(error);
        throw error;
      }
    },
    ...(isIdempotent && method.method === 'PUT' && { repeatable: true }),
    ...(isIdempotent && method.method === 'DELETE' && { find: async (_, { key }) => foundBy(void repeated.add(key)) }),
    ...(search && {
      find: (own, { api, marker, signal }) => findRecord(api, search, { ...fixed, ...own }, marker, signal),
    }),
  };
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Looks for the record that was created by a request whose response was lost. */
async function findRecord(
  api: Client,
  { field, list, by }: Search,
  params: Params,
  marker: string,
  signal: AbortSignal,
): Promise<Found> {
  const search = Object.fromEntries(by.filter((name) => params[name]).map((name) => [name, params[name]]));
  if (Object.keys(search).length === 0) throw new LookupUnclearError('the row has no value to search by');
  const own = params[field];
  const found = await findMarked(
    recordsOf(listMethod(api, list, search, { signal })),
    typeof own === 'string' ? own : marker,
    (record) => record.fields[field],
  );
  // If the row has its own value for the field, an earlier record may have the same value.
  if (found !== undefined && own !== undefined) throw new LookupUnclearError(`record ${found} has the same ${field}`);
  return foundBy(found);
}

async function* recordsOf(items: AsyncIterable<unknown>) {
  for await (const item of items) {
    if (isRecord(item) && typeof item.id === 'number') yield { id: item.id, fields: item };
  }
}
