import type { Client } from 'carillon';
import { findMarked, LookupUnclearError, type Marked } from 'carillon/journal';
import { isRecord } from '../../../shared/is-record.ts';
import { listMethod } from '../../catalogue/call.ts';
import type { Params } from '../../catalogue/check-params.ts';
import type { Method } from '../../catalogue/methods.ts';

/** A method with a field for the caller's own data, by which a search finds the record of a lost request. */
interface Marker {
  /** The field that carries the marker. */
  readonly field: string;
  /** The list to search. */
  readonly list: string;
  /** The fields to search by. */
  readonly by: readonly string[];
}

const markers: Readonly<Record<string, Marker>> = {
  'crm.contacts.create': { field: 'externalContactId', list: 'crm.contacts.list', by: ['firstName', 'lastName'] },
};

/**
 * Returns how to handle a row whose reply was lost. `marker` searches for the record that it created, `repeat` sends it again
 * because that is safe, and `person` waits for a decision.
 */
export function lookupKind(method: Method): 'marker' | 'repeat' | 'person' {
  if (Object.hasOwn(markers, method.name)) return 'marker';
  const isIdempotent = method.method === 'PUT' || method.method === 'DELETE';
  return method.effect === 'read' || (isIdempotent && method.effect !== 'send') ? 'repeat' : 'person';
}

/** Returns the field for the marker of a run, if the method has one. */
function markerField(method: Method): string | undefined {
  return Object.hasOwn(markers, method.name) ? markers[method.name]?.field : undefined;
}

/** Adds the marker to the parameters, unless the row has its own value for the field. */
export function withMarker(method: Method, params: Params, marker: string): Params {
  const field = markerField(method);
  return field === undefined || params[field] !== undefined ? params : { ...params, [field]: marker };
}

/**
 * Looks for the record that a lost request created.
 *
 * @returns its ID, or `undefined` if the request certainly did not create a record
 * @throws `LookupUnclearError` if a person has to decide
 */
export async function lookUp(
  client: Client,
  method: Method,
  params: Params,
  marker: string,
): Promise<number | undefined> {
  const { field = '', list = '', by = [] } = markers[method.name] ?? {};
  const search = Object.fromEntries(by.filter((name) => params[name]).map((name) => [name, params[name]]));
  if (Object.keys(search).length === 0)
    throw new LookupUnclearError('its reply was lost, and no search shows whether it was processed');
  const own = params[field];
  const found = await findMarked(
    recordsOf(listMethod(client, list, search)),
    typeof own === 'string' ? own : marker,
    (record) => record.fields[field],
  );
  // An earlier record may have the row's own value.
  if (found !== undefined && own !== undefined)
    throw new LookupUnclearError(`its reply was lost; record ${found} has its ${field}`);
  return found;
}

interface Found extends Marked {
  fields: Readonly<Record<string, unknown>>;
}

async function* recordsOf(items: AsyncIterable<unknown>): AsyncGenerator<Found> {
  for await (const item of items) {
    if (isRecord(item) && typeof item.id === 'number') yield { id: item.id, fields: item };
  }
}
