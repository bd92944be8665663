import {
  AttributeType,
  type ContactFilter,
  ContactSortDirection,
  ContactSortField,
} from '../../../../generated/crm/models.ts';
import type { CrmState } from '../resources.ts';
import { storedValue } from '../values.ts';
import type { StoredContact } from './contacts.ts';

type Key = Order<Readonly<StoredContact>>['key'];

/** Returns the sort order of a filter. */
export function compileSort(
  { sortBy = {}, attributeIds }: ContactFilter,
  crm: CrmState,
): Order<Readonly<StoredContact>> {
  const { fieldName = ContactSortField.Id, direction } = sortBy;
  return { key: keys[fieldName](crm, attributeIds), isDescending: direction === ContactSortDirection.Descending };
}

const byId: Key = ({ record }) => record.id;

const keys: { [Field in ContactSortField]: (crm: CrmState, attributeIds?: readonly number[]) => Key } = {
  id: () => byId,
  created_at: () => (contact) => contact.createdAt,
  first_name: () => (contact) => contact.record.firstName ?? '',
  responsible_id: () => (contact) => contact.record.responsibleId ?? 0,
  attributeId: byAttribute,
};

function byAttribute({ contactAttributes }: CrmState, [attributeId]: readonly number[] = []): Key {
  if (attributeId === undefined) return byId;
  const { type } = contactAttributes.get(attributeId) ?? {};
  if (type !== AttributeType.Number) return ({ values }) => storedValue(values, attributeId) ?? '';
  return ({ values }) => {
    // A value that was stored before the attribute became a number attribute may not be a number.
    const number = Number(storedValue(values, attributeId) ?? Number.NaN);
    return Number.isNaN(number) ? Number.NEGATIVE_INFINITY : number;
  };
}

/** A sort order with one key per item. Either all keys must be numbers, or all must be strings. */
export interface Order<Item> {
  key(item: Item): string | number;
  isDescending: boolean;
}

/**
 * Returns a page of the sorted items. Reads the items once, and keeps only those that may be on or before the page.
 * Items with equal keys keep their order.
 */
export function sortedPage<Item>(
  items: Iterable<Item>,
  { key, isDescending }: Order<Item>,
  { offset, limit }: { offset: number; limit: number },
): Item[] {
  const end = offset + limit;
  const sign = isDescending ? -1 : 1;
  const compare = (one: Keyed<Item>, other: Keyed<Item>): number =>
    one.key < other.key ? -sign : one.key > other.key ? sign : 0;
  let best: Keyed<Item>[] = [];
  let last: Keyed<Item> | undefined;
  for (const item of items) {
    const keyed = { item, key: key(item) };
    if (last && compare(keyed, last) >= 0) continue;
    best.push(keyed);
    if (best.length < Math.max(2 * end, minToSort)) continue;
    best = best.sort(compare).slice(0, end);
    last = best.at(-1);
  }
  return best
    .sort(compare)
    .slice(offset, end)
    .map(({ item }) => item);
}

interface Keyed<Item> {
  item: Item;
  key: string | number;
}

/** Minimum number of kept items for which sorting before the end of the input is worthwhile. */
const minToSort = 1_000;
