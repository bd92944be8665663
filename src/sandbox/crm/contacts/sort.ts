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
    // The value may not be a number if it was stored before the attribute got this type.
    const number = Number(storedValue(values, attributeId) ?? Number.NaN);
    return Number.isNaN(number) ? Number.NEGATIVE_INFINITY : number;
  };
}

/** A sort order by one key per item. The keys must be all numbers or all texts. */
export interface Order<Item> {
  key(item: Item): string | number;
  isDescending: boolean;
}

/** Negative if the item at the first index comes first, else positive. Items with equal keys keep their order. */
type Comparison = (one: number, other: number) => number;

/** Returns a page of the sorted items without sorting all of them. It takes linear time and reads each key once. */
export function sortedPage<Item>(
  items: readonly Item[],
  order: Order<Item>,
  { offset, limit }: { offset: number; limit: number },
): Item[] {
  const end = Math.min(offset + limit, items.length);
  if (offset >= end) return [];
  const compare = comparison(items, order);
  const indexes = new Uint32Array(items.length).map((_, index) => index);
  if (offset > 0) partition(indexes, compare, offset, 0);
  if (end < indexes.length) partition(indexes, compare, end, offset);
  return [...indexes.subarray(offset, end).sort(compare)].flatMap((index) => items[index] ?? []);
}

function comparison<Item>(items: readonly Item[], { key, isDescending }: Order<Item>): Comparison {
  const keys = items.map(key);
  const sign = isDescending ? -1 : 1;
  return (one, other) => {
    const [left = 0, right = 0] = [keys[one], keys[other]];
    return left < right ? -sign : left > right ? sign : one - other;
  };
}

/**
 * Quickselect: moves the indexes that sort before `place` to its left, and all others to its right. Keeps those before
 * `start`.
 */
function partition(indexes: Uint32Array, compare: Comparison, place: number, start: number): void {
  let low = start;
  let high = indexes.length - 1;
  while (low < high) {
    const pivot = median(indexes, compare, low, high);
    let left = low;
    let right = high;
    while (left <= right) {
      while (compare(at(indexes, left), pivot) < 0) left += 1;
      while (compare(at(indexes, right), pivot) > 0) right -= 1;
      if (left > right) break;
      const kept = at(indexes, left);
      indexes[left] = at(indexes, right);
      indexes[right] = kept;
      left += 1;
      right -= 1;
    }
    if (place <= right) high = right;
    else if (place >= left) low = left;
    else return;
  }
}

/** Median of the first, middle and last index. It keeps lists that are already sorted fast. */
function median(indexes: Uint32Array, compare: Comparison, low: number, high: number): number {
  const three = [at(indexes, low), at(indexes, (low + high) >> 1), at(indexes, high)];
  return three.sort(compare)[1] ?? low;
}

/** Reads an index. A partition stays within bounds; the fallback only satisfies the types. */
function at(indexes: Uint32Array, index: number): number {
  return indexes[index] ?? 0;
}
