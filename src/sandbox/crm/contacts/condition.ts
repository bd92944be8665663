import {
  AttributeType,
  ContactConditionExpression,
  ContactConditionField,
  type ContactFieldCondition,
  type ContactTag,
} from '../../../../generated/crm/models.ts';
import { jsonIn } from '../../rules/json.ts';
import type { CrmState } from '../resources.ts';
import type { StoredContact } from './contacts.ts';
import { digitsOnly, ignoreCase, type StringTest, stringTest } from './string-test.ts';

export type Predicate = (contact: Readonly<StoredContact>) => boolean;

/** A condition that has all required parts. */
export interface CompleteCondition {
  field: ContactConditionField;
  expression: ContactConditionExpression;
  /** Values to compare with: a list of one item for a single value, and an empty list for the expression `empty`. */
  values: readonly string[];
}

/** Returns a condition that can be compiled, or `undefined` if a part is missing. */
export function completeCondition({ field, expression, value }: ContactFieldCondition): CompleteCondition | undefined {
  if (field === undefined || expression === undefined) return undefined;
  if (expression === ContactConditionExpression.Empty) return { field, expression, values: [] };
  if (value === undefined) return undefined;
  const values = (Array.isArray(value) ? value : [value]).filter((one) => typeof one !== 'object').map(String);
  return { field, expression, values };
}

/** Compiles an item in `fieldValueConditions` into a predicate. */
export function compileCondition({ field, expression, values }: CompleteCondition, crm: CrmState): Predicate {
  if (field === ContactConditionField.Tags) return compileTags(expression, values, crm);
  const stringsOf = field === ContactConditionField.Attributes ? attributeStrings(crm) : strings[field];
  if (expression === ContactConditionExpression.Empty) return (contact) => !stringsOf(contact).some(Boolean);
  const isNegated = expression === ContactConditionExpression.NotEqual;
  const positive = isNegated ? ContactConditionExpression.Equal : expression;
  const fold = field === ContactConditionField.Phones ? digitsOnly : ignoreCase;
  const holds = someString(stringsOf, stringTest(positive, values, fold));
  return isNegated ? (contact) => !holds(contact) : holds;
}

type StringsOf = (contact: Readonly<StoredContact>) => readonly (string | undefined)[];

/** Functions that return the strings in one field of a contact, by field name. */
export const strings = {
  firstName: ({ record }) => [record.firstName],
  lastName: ({ record }) => [record.lastName],
  location: ({ location }) => [location],
  phones: ({ phones }) => phones.map(({ phone }) => phone),
  emails: ({ emails }) => emails.map(({ email }) => email),
  messengers: ({ messengers }) => messengers.map(({ login }) => login),
} satisfies { [field: string]: StringsOf };

/** Returns a predicate that is true for contacts with a string that passes a test. */
export function someString(stringsOf: StringsOf, fits: StringTest): Predicate {
  return (contact) => stringsOf(contact).some((one) => one && fits(one));
}

/** Compiles a condition on tags into a predicate that tests tag IDs. */
function compileTags(expression: ContactConditionExpression, values: readonly string[], crm: CrmState): Predicate {
  if (expression === ContactConditionExpression.Empty) return ({ tags }) => !tags || tags.length === 0;
  const isNegated = expression === ContactConditionExpression.NotEqual;
  const positive = isNegated ? ContactConditionExpression.Equal : expression;
  const fits = stringTest(positive, values);
  const takesIds = positive === ContactConditionExpression.Equal || positive === ContactConditionExpression.In;
  const isWanted = ({ id, name = '' }: ContactTag): boolean => fits(name) || (takesIds && values.includes(String(id)));
  const wanted = new Set([...crm.tags.values()].filter(isWanted).map(({ id }) => id));
  return ({ tags = [] }) => tags.some((id) => wanted.has(id)) !== isNegated;
}

/**
 * Returns a function that lists the attribute values of a contact. A multi-select also contributes each of its selected
 * options.
 */
function attributeStrings({ contactAttributes }: CrmState): StringsOf {
  const multiSelects = new Set<number>();
  for (const { id, type } of contactAttributes.values()) if (type === AttributeType.MultiSelect) multiSelects.add(id);
  return ({ values = [] }) => {
    const found: string[] = [];
    for (const { attributeId, value } of values) {
      const options = multiSelects.has(attributeId) ? optionsIn(value) : undefined;
      if (options?.length !== 0) found.push(value, ...(options ?? []));
    }
    return found;
  };
}

/** Returns the options that a multi-select value contains. */
export function optionsIn(value: string): readonly string[] {
  const chosen = jsonIn(value);
  return Array.isArray(chosen) ? chosen.map(String) : [];
}
