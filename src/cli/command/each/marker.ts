import type { Params } from '../../catalogue/check-names.ts';
import type { Method } from '../../catalogue/methods.ts';

/** A method with a field for the caller's own data, by which a search finds the record of a lost request. */
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

/** How to find the record that a lost request created, if the method has a way. */
export function searchOf({ name }: Method): Search | undefined {
  return Object.hasOwn(markers, name) ? markers[name] : undefined;
}

/** Adds the marker to the parameters, unless the row has its own value for the field. */
export function withMarker(method: Method, params: Params, marker: string): Params {
  const field = searchOf(method)?.field;
  return field === undefined || params[field] !== undefined ? params : { ...params, [field]: marker };
}
