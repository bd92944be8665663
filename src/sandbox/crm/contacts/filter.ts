import { AttributeType, type ContactFilter } from '../../../../generated/crm/models.ts';
import { zAttributeValueInput } from '../../../../generated/crm/zod.ts';
import { day } from '../../data/dates.ts';
import type { AnyChoice } from '../../rules/choices.ts';
import type { CrmState } from '../resources.ts';
import { storedValue } from '../values.ts';
import { compileCondition, completeCondition, optionsIn, type Predicate, someString, strings } from './condition.ts';
import type { StoredContact } from './contacts.ts';
import { contains, digitsOnly, equals, type Fold } from './string-test.ts';

/** The filter fields that select contacts. The other fields determine how the contacts are listed. */
type Given = Required<Omit<ContactFilter, 'limit' | 'offset' | 'sortBy' | 'attributeIds'>>;
type FilterField = keyof Given;

/** Compiles the value of a field into a predicate. Returns `undefined` if the value counts as missing. */
type Compiler<Value> = (value: Value, crm: CrmState) => Predicate | undefined;

/** A compiler for each filter field. The types require a compiler for every field. */
const compilers: { [Field in FilterField]: Compiler<Given[Field]> } = {
  from: (value) => compileFrom('createdAt', value),
  to: (value) => compileTo('createdAt', value),
  updateFrom: (value) => compileFrom('updatedAt', value),
  updateTo: (value) => compileTo('updatedAt', value),
  firstName: (value) => withPart(value, strings.firstName),
  lastName: (value) => withPart(value, strings.lastName),
  responsibleIds: (value) => withId(value, ({ record }) => [record.responsibleId]),
  sourceType: (value) => withId(value, ({ sourceType }) => [sourceType]),
  phone: (value) => withPart(value, strings.phones, digitsOnly),
  email: (value) => withPart(value, strings.emails),
  messengerLogin: (value) => withPart(value, strings.messengers),
  location: (value) => withPart(value, strings.location),
  tagIds: (value) => withId(value, ({ tags = [] }) => tags),
  messengerTypeIds: (value) => withId(value, ({ messengers }) => messengers.map(({ typeId }) => Number(typeId))),
  ids: (value) => withId(value, ({ record }) => [record.id]),
  attributes: (value, crm) => compileAttributes(value, crm),
  fieldValueConditions: (value, crm) => compileConditions(value, crm),
};

/** The choices that determine the meaning of each field. */
const readings: { [Field in FilterField]?: readonly AnyChoice[] } = {
  from: ['contact-filter-dates'],
  to: ['contact-filter-dates'],
  updateFrom: ['contact-filter-dates', 'contact-updated'],
  updateTo: ['contact-filter-dates', 'contact-updated'],
  firstName: ['contact-filter-text'],
  lastName: ['contact-filter-text'],
  sourceType: ['contact-source-type'],
  phone: ['contact-filter-phone'],
  email: ['contact-filter-text'],
  messengerLogin: ['contact-filter-text'],
  location: ['contact-filter-text', 'contact-source-type'],
  attributes: ['contact-filter-attributes'],
};

/** A compiled filter. A contact must satisfy all predicates. */
export interface CompiledFilter {
  predicates: Predicate[];
  choices: AnyChoice[];
}

/** Compiles a filter, so that testing a contact takes only a few comparisons and no memory. */
export function compileFilter(filter: Partial<Given>, crm: CrmState): CompiledFilter {
  const compiled: CompiledFilter = { predicates: [], choices: [] };
  const add = <Field extends FilterField>(field: Field): void => {
    const value: Given[Field] | undefined = filter[field];
    if (value === undefined || value === null) return;
    const predicate = compilers[field](value, crm);
    if (predicate) compiled.predicates.push(predicate);
    const isCombined = Array.isArray(value) && value.length > 1;
    if (isCombined || isEmpty(value)) compiled.choices.push('contact-filter-combination');
    if (predicate || field === 'attributes') compiled.choices.push(...(readings[field] ?? []));
  };
  for (const field of Object.keys(compilers) as FilterField[]) add(field);
  if (compiled.predicates.length > 1) compiled.choices.push('contact-filter-combination');
  return compiled;
}

/** Returns whether a string or list is empty and therefore counts as missing. */
function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}

function compileFrom(moment: 'createdAt' | 'updatedAt', date: string): Predicate {
  const start = Date.parse(date);
  return (contact) => contact[moment] >= start;
}

function compileTo(moment: 'createdAt' | 'updatedAt', date: string): Predicate {
  const end = Date.parse(date) + day;
  return (contact) => contact[moment] < end;
}

/** Returns a predicate that is true for contacts with a string that contains `part`. */
function withPart(part: string, ...[stringsOf, fold]: [typeof strings.phones, Fold?]): Predicate | undefined {
  return part === '' ? undefined : someString(stringsOf, contains(part, fold));
}

/** Returns a predicate that is true for contacts with at least one of the IDs. */
function withId(
  ids: readonly number[],
  idsOf: (contact: Readonly<StoredContact>) => readonly (number | undefined)[],
): Predicate | undefined {
  const wanted = new Set<number | undefined>(ids);
  return ids.length === 0 ? undefined : (contact) => idsOf(contact).some((id) => wanted.has(id));
}

function compileConditions(conditions: Given['fieldValueConditions'], crm: CrmState): Predicate | undefined {
  const predicates = conditions.flatMap((condition) => {
    const complete = completeCondition(condition);
    return complete ? compileCondition(complete, crm) : [];
  });
  return predicates.length === 0 ? undefined : (contact) => predicates.every((holds) => holds(contact));
}

/** Compiles `{attributeId, value}` or a list of such objects. Returns `undefined` for any other shape. */
function compileAttributes(value: unknown, { contactAttributes }: CrmState): Predicate | undefined {
  const entries = Array.isArray(value) ? value : [value];
  const predicates = entries.flatMap((entry): Predicate[] => {
    const { data } = zAttributeValueInput.safeParse(entry);
    if (data?.attributeId === undefined || data.value === undefined) return [];
    const { attributeId } = data;
    const fits = equals(data.value);
    const isMultiSelect = contactAttributes.get(attributeId)?.type === AttributeType.MultiSelect;
    return [
      ({ values }) => {
        const held = storedValue(values, attributeId);
        return held !== undefined && (fits(held) || (isMultiSelect && optionsIn(held).some(fits)));
      },
    ];
  });
  const isUnderstood = predicates.length > 0 && predicates.length === entries.length;
  return isUnderstood ? (contact) => predicates.every((holds) => holds(contact)) : undefined;
}
