import { AttributeType, type ContactFilter } from '../../../../generated/crm/models.ts';
import { zAttributeValueInput } from '../../../../generated/crm/zod.ts';
import type { AnyChoice } from '../../rules/choices.ts';
import type { CrmState } from '../resources.ts';
import { storedValue } from '../values.ts';
import { compileCondition, completeCondition, optionReader, type Predicate } from './condition.ts';
import { contains, digitsOnly, equals } from './text-test.ts';

/** The fields that narrow a list. The other fields of a filter are about the page. */
type Given = Required<Omit<ContactFilter, 'limit' | 'offset' | 'sortBy' | 'attributeIds'>>;
type FilterField = keyof Given;

/** Compiles one field to a predicate. Returns `undefined` if its value counts as missing. */
type Compiler<Value> = (value: Value, crm: CrmState) => Predicate | undefined;

/** A compiler for each field of the filter, which the types require. */
const compilers: { [Field in FilterField]: Compiler<Given[Field]> } = {
  from: (value) => compileFrom('createdAt', value),
  to: (value) => compileTo('createdAt', value),
  updateFrom: (value) => compileFrom('updatedAt', value),
  updateTo: (value) => compileTo('updatedAt', value),
  firstName: (value) => compileName('firstName', value),
  lastName: (value) => compileName('lastName', value),
  responsibleIds: (value) =>
    ifAny(
      value,
      (wanted) =>
        ({ record }) =>
          wanted.has(record.responsibleId ?? Number.NaN),
    ),
  sourceType: (value) =>
    ifAny(
      value,
      (wanted) =>
        ({ sourceType }) =>
          sourceType !== undefined && wanted.has(sourceType),
    ),
  phone: (value) => compilePhone(value),
  email: (value) => compileEmail(value),
  messengerLogin: (value) => compileLogin(value),
  location: (value) => compileLocation(value),
  tagIds: (value) =>
    ifAny(
      value,
      (wanted) =>
        ({ tags = [] }) =>
          tags.some((tag) => wanted.has(tag)),
    ),
  messengerTypeIds: (value) => compileMessengerTypes(value),
  ids: (value) =>
    ifAny(
      value,
      (wanted) =>
        ({ record }) =>
          wanted.has(record.id),
    ),
  attributes: (value, crm) => compileAttributes(value, crm),
  fieldValueConditions: (value, crm) => compileConditions(value, crm),
};

/** The choices that determine the meaning of a field. */
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

/** A compiled filter. All predicates must hold. */
export interface CompiledFilter {
  predicates: Predicate[];
  choices: AnyChoice[];
}

/** Compiles a filter once, so that each contact costs only a few comparisons and no memory. */
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

/** Returns whether a text or list is empty and therefore counts as missing. */
function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}

/** Returns a predicate for contacts with a matching email. */
export function compileEmail(part: string, isWhole = false): Predicate | undefined {
  if (part === '') return undefined;
  const fits = isWhole ? equals(part) : contains(part);
  return ({ emails }) => {
    for (const { email } of emails) if (email && fits(email)) return true;
    return false;
  };
}

function compileFrom(moment: 'createdAt' | 'updatedAt', day: string): Predicate {
  const start = Date.parse(day);
  return (contact) => contact[moment] >= start;
}

function compileTo(moment: 'createdAt' | 'updatedAt', day: string): Predicate {
  const end = Date.parse(day) + 24 * 60 * 60 * 1_000;
  return (contact) => contact[moment] < end;
}

function compileName(name: 'firstName' | 'lastName', part: string): Predicate | undefined {
  if (part === '') return undefined;
  const fits = contains(part);
  return ({ record }) => {
    const text = record[name];
    return text !== undefined && fits(text);
  };
}

function compilePhone(part: string): Predicate | undefined {
  if (part === '') return undefined;
  const fits = contains(part, digitsOnly);
  return ({ phones }) => {
    for (const { phone } of phones) if (phone && fits(phone)) return true;
    return false;
  };
}

function compileLogin(part: string): Predicate | undefined {
  if (part === '') return undefined;
  const fits = contains(part);
  return ({ messengers }) => {
    for (const { login } of messengers) if (login && fits(login)) return true;
    return false;
  };
}

function compileLocation(part: string): Predicate | undefined {
  if (part === '') return undefined;
  const fits = contains(part);
  return ({ location }) => location !== undefined && fits(location);
}

function compileMessengerTypes(ids: readonly number[]): Predicate | undefined {
  return ifAny(ids, (wanted) => ({ messengers }) => {
    for (const { typeId } of messengers) if (typeId !== undefined && wanted.has(Number(typeId))) return true;
    return false;
  });
}

function compileConditions(conditions: Given['fieldValueConditions'], crm: CrmState): Predicate | undefined {
  const predicates = conditions.flatMap((condition) => {
    const complete = completeCondition(condition);
    return complete ? compileCondition(complete, crm) : [];
  });
  return predicates.length === 0 ? undefined : (contact) => predicates.every((holds) => holds(contact));
}

/** Compiles `{attributeId, value}` or a list of these. Any other shape excludes no contact. */
function compileAttributes(value: unknown, { contactAttributes }: CrmState): Predicate | undefined {
  const entries = Array.isArray(value) ? value : [value];
  const optionsOf = optionReader();
  const predicates = entries.flatMap((entry): Predicate[] => {
    const { data } = zAttributeValueInput.safeParse(entry);
    if (data?.attributeId === undefined || data.value === undefined) return [];
    const { attributeId } = data;
    const fits = equals(data.value);
    const isMultiSelect = contactAttributes.get(attributeId)?.type === AttributeType.MultiSelect;
    return [
      ({ values }) => {
        const held = storedValue(values, attributeId);
        return held !== undefined && (fits(held) || (isMultiSelect && optionsOf(held).some(fits)));
      },
    ];
  });
  const isUnderstood = predicates.length > 0 && predicates.length === entries.length;
  return isUnderstood ? (contact) => predicates.every((holds) => holds(contact)) : undefined;
}

function ifAny(values: readonly number[], make: (wanted: ReadonlySet<number>) => Predicate): Predicate | undefined {
  return values.length === 0 ? undefined : make(new Set(values));
}
