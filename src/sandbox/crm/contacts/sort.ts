import {
  AttributeType,
  type ContactFilter,
  ContactSortDirection,
  ContactSortField,
} from '../../../../generated/crm/models.ts';
import type { CrmState } from '../resources.ts';
import { storedValue } from '../values.ts';
import type { StoredContact } from './contacts.ts';

type Contact = Readonly<StoredContact>;
type Key = (contact: Contact) => string | number;

/** Sorts contacts as a filter asks. Contacts with equal keys keep their order. */
export function sorted(
  contacts: readonly Contact[],
  { sortBy = {}, attributeIds }: ContactFilter,
  crm: CrmState,
): Contact[] {
  const { fieldName = ContactSortField.Id, direction } = sortBy;
  const key = keys[fieldName](crm, attributeIds);
  const sign = direction === ContactSortDirection.Descending ? -1 : 1;
  return contacts.toSorted((one, other) => sign * compareKeys(key(one), key(other)));
}

function compareKeys(one: string | number, other: string | number): number {
  return one < other ? -1 : Number(one > other);
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
