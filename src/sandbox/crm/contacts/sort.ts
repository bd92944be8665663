import {
  AttributeType,
  type ContactFilter,
  ContactSortDirection,
  ContactSortField,
} from '../../../../generated/crm/models.ts';
import type { CrmState } from '../state.ts';
import { storedValue } from '../values.ts';
import type { Order } from './sorted-page.ts';
import type { StoredContact } from './state.ts';

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
