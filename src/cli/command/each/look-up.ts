import type { Client } from 'carillon';
import { findMarked, LookupUnclearError, type Marked } from 'carillon/journal';
import { isRecord } from '../../../shared/is-record.ts';
import { listMethod } from '../../catalogue/call.ts';
import type { Params } from '../../catalogue/check-params.ts';
import type { Method } from '../../catalogue/methods.ts';

/** A method with a field for data of the caller, by which a search finds what a lost request created. */
interface Marker {
  /** The field that carries the marker. */
  readonly field: string;
  /** The list that is searched. */
  readonly list: string;
  /** The fields that the list is searched by. */
  readonly by: readonly string[];
}

const markers: Readonly<Record<string, Marker>> = {
  'crm.contacts.create': { field: 'externalContactId', list: 'crm.contacts.list', by: ['firstName', 'lastName'] },
};

/**
 * How a row is handled whose reply was lost: `marker` searches for what it created, `repeat` sends it again because that does no harm, and
 * `person` waits for a decision.
 */
export function lookupKind(method: Method): 'marker' | 'repeat' | 'person' {
  if (Object.hasOwn(markers, method.name)) return 'marker';
  const isIdempotent = method.method === 'PUT' || method.method === 'DELETE';
  return method.effect === 'read' || (isIdempotent && method.effect !== 'send') ? 'repeat' : 'person';
}

/** The field to which a run adds its marker, if the method has one. */
export function markerField(method: Method): string | undefined {
  return Object.hasOwn(markers, method.name) ? markers[method.name]?.field : undefined;
}

/** The parameters with the marker, unless the row has a value of its own there. */
export function withMarker(method: Method, params: Params, marker: string): Params {
  const field = markerField(method);
  return field === undefined || params[field] !== undefined ? params : { ...params, [field]: marker };
}

/**
 * Looks for what a lost request created.
 *
 * @returns its ID, or `undefined` if it created nothing for certain
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
  // Another record may have had the value of the row before.
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
