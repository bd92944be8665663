import {
  AttributeType,
  ContactConditionExpression,
  ContactConditionField,
  type ContactFieldCondition,
} from '../../../../generated/crm/models.ts';
import { parseJson } from '../../rules/json.ts';
import type { CrmState } from '../resources.ts';
import type { StoredContact } from './contacts.ts';
import { digitsOnly, type Fold, ignoreCase, type TextTest, textTest } from './text-test.ts';

export type Predicate = (contact: Readonly<StoredContact>) => boolean;

/** A condition that has all required parts. */
export interface CompleteCondition {
  field: ContactConditionField;
  expression: ContactConditionExpression;
  /** A single value becomes a list of one. The list is empty for the expression `empty`. */
  values: readonly string[];
}

/** Returns whether a test holds for any of the texts in a field of a contact. */
type Field = (contact: Readonly<StoredContact>, test: TextTest) => boolean;

/** Returns a condition that can be compiled, or `undefined` if a part is missing. */
export function completeCondition({ field, expression, value }: ContactFieldCondition): CompleteCondition | undefined {
  if (field === undefined || expression === undefined) return undefined;
  if (expression === ContactConditionExpression.Empty) return { field, expression, values: [] };
  if (value === undefined) return undefined;
  const values = (Array.isArray(value) ? value : [value]).filter((one) => typeof one !== 'object').map(String);
  return { field, expression, values };
}

/** Compiles one of `fieldValueConditions`. */
export function compileCondition({ field, expression, values }: CompleteCondition, crm: CrmState): Predicate {
  if (field === ContactConditionField.Tags) return compileTags(expression, values, crm);
  const some = fields[field](crm);
  return compileTexts(some, expression, values, field === ContactConditionField.Phones ? digitsOnly : ignoreCase);
}

const fields: { [Name in Exclude<ContactConditionField, 'tags'>]: (crm: CrmState) => Field } = {
  attributes: someAttribute,
  lastName: () => (contact, test) => !!contact.record.lastName && test(contact.record.lastName),
  location: () => (contact, test) => !!contact.location && test(contact.location),
  phones: () => (contact, test) => {
    for (const { phone } of contact.phones) if (phone && test(phone)) return true;
    return false;
  },
  emails: () => (contact, test) => {
    for (const { email } of contact.emails) if (email && test(email)) return true;
    return false;
  },
  messengers: () => (contact, test) => {
    for (const { login } of contact.messengers) if (login && test(login)) return true;
    return false;
  },
};

function compileTexts(
  some: Field,
  expression: ContactConditionExpression,
  values: readonly string[],
  fold: Fold,
): Predicate {
  if (expression === ContactConditionExpression.Empty) return (contact) => !some(contact, () => true);
  if (expression === ContactConditionExpression.NotEqual) {
    const isEqual = textTest(ContactConditionExpression.Equal, values, fold);
    return (contact) => !some(contact, isEqual);
  }
  const fits = textTest(expression, values, fold);
  return (contact) => some(contact, fits);
}

/** Compares each tag once per request. A contact then costs only lookups of tag IDs. */
function compileTags(expression: ContactConditionExpression, values: readonly string[], crm: CrmState): Predicate {
  if (expression === ContactConditionExpression.Empty) return ({ tags }) => !tags || tags.length === 0;
  const isNegated = expression === ContactConditionExpression.NotEqual;
  const positive = isNegated ? ContactConditionExpression.Equal : expression;
  const fits = textTest(positive, values);
  const takesIds = positive === ContactConditionExpression.Equal || positive === ContactConditionExpression.In;
  const ids = new Set(takesIds ? values : []);
  const known = new Map<number, boolean>();
  const isWanted = (id: number): boolean => {
    const earlier = known.get(id);
    if (earlier !== undefined) return earlier;
    const tag = crm.tags.get(id);
    const isFound = tag !== undefined && (fits(tag.name ?? '') || ids.has(String(id)));
    known.set(id, isFound);
    return isFound;
  };
  return ({ tags = [] }) => tags.some(isWanted) !== isNegated;
}

function someAttribute({ contactAttributes }: CrmState): Field {
  const optionsOf = optionReader();
  const multiSelects = new Set<number>();
  for (const { id, type } of contactAttributes.values()) if (type === AttributeType.MultiSelect) multiSelects.add(id);
  return ({ values }, test) => {
    if (!values) return false;
    for (const { attributeId, value } of values) {
      const options = multiSelects.has(attributeId) ? optionsOf(value) : undefined;
      if (value === '' || options?.length === 0) continue;
      if (test(value)) return true;
      if (options) for (const option of options) if (test(option)) return true;
    }
    return false;
  };
}

/** Returns a parser for multi-select values. It parses each text once, because many contacts share the same text. */
export function optionReader(): (value: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (value) => {
    const earlier = known.get(value);
    if (earlier) return earlier;
    const options = parseOptions(value);
    known.set(value, options);
    return options;
  };
}

function parseOptions(value: string): readonly string[] {
  try {
    const chosen: unknown = parseJson(value);
    return Array.isArray(chosen) ? chosen.map(String) : [];
  } catch {
    return [];
  }
}
