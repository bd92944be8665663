import type { Params } from '../../catalogue/check-names.ts';
import type { Method } from '../../catalogue/methods.ts';

/**
 * How to find the record that a request created, for use after the response was lost: by a field that holds the caller's own
 * data.
 */
export interface Search {
  /** The field that carries the marker. */
  readonly field: string;
  /** The list to search. */
  readonly list: string;
  /** The fields to search by. */
  readonly by: readonly string[];
}

const markers: Readonly<Record<string, Search>> = {
  'crm.contacts.create': { field: 'externalContactId', list: 'crm.contacts.list', by: ['firstName', 'lastName'] },
};

/**
 * Returns how to find the record that a request created, for use after the response was lost. Returns `undefined` if the
 * method does not support this.
 */
export function searchOf({ name }: Method): Search | undefined {
  return Object.hasOwn(markers, name) ? markers[name] : undefined;
}

/** Adds the marker to the parameters, unless the row has its own value for the field. */
export function withMarker(method: Method, params: Params, marker: string): Params {
  const field = searchOf(method)?.field;
  return field === undefined || params[field] !== undefined ? params : { ...params, [field]: marker };
}
