import {
  type AttributeOptions,
  AttributeStatus,
  AttributeType,
  type ContactAttribute,
  type ContactAttributeValue,
  type DealAttribute,
  type DealAttributeValue,
} from '../../../generated/crm/models.ts';
import { parseDateTime } from '../data/dates.ts';
import { newId } from '../data/settings.ts';
import type { AnyChoice } from '../rules/choices.ts';
import type { Context } from '../rules/context.ts';
import { jsonIn } from '../rules/json.ts';
import { byOrder, given } from './records.ts';
import { type StoredValues, storedValue } from './values.ts';

/** The part of an attribute definition that determines the format of a value. */
export interface ValueForm {
  /** Type of the values (default: text). */
  type?: number;
  options?: Readonly<AttributeOptions> | undefined;
}

/** The part of an attribute definition that applies to its values. */
interface Definition extends ValueForm {
  status?: AttributeStatus;
}

/** Input for a new definition. */
interface NewDefinition<Type extends AttributeType> {
  name: string;
  type: Type;
  mandatory?: boolean | undefined;
  options?: Readonly<AttributeOptions> | undefined;
}

/** Creates the definition of an attribute of contacts or deals. */
export function newDefinition<Type extends AttributeType>(
  context: Context,
  { name, type, mandatory = false, options }: NewDefinition<Type>,
) {
  const id = newId(context.state.crm);
  return { id, name, type, mandatory, ...given({ options: options?.slice() }), status: AttributeStatus.Active };
}

/** Records a choice if an update changes the type or options of an attribute. Stored values do not change. */
export function markReshaped(context: Context, before: ValueForm, { type, options }: ValueForm): void {
  if ((type !== undefined && type !== before.type) || options !== undefined)
    context.chose('attribute-change-keeps-values');
}

/** Choices for types whose format is not fully documented. */
const formChoices: { [Type in number]?: AnyChoice } = {
  [AttributeType.Number]: 'numeric-text',
  [AttributeType.Link]: 'link-url',
};

/** Rejects a value that does not match the type of its attribute. */
export function checkAttributeValue(context: Context, definition: Definition, value: string): void {
  const { type, status } = definition;
  const message = attributeValueProblem(definition, value);
  const choice = type === undefined ? undefined : formChoices[type];
  if (message !== undefined) context.reject('attribute-value-format', { message, ...(choice && { choice }) });
  if (choice) context.chose(choice);
  if (status !== undefined && status !== AttributeStatus.Active) context.chose('attribute-without-effect');
}

/** Returns an attribute value as it appears in responses, with the fields of its definition. */
export function attributeValueResponse(
  { id, type, status, options }: DealAttribute | ContactAttribute,
  value: string,
): DealAttributeValue & ContactAttributeValue {
  return { attributeId: id, value, ...given({ type, status, options }) };
}

/** Returns the attribute values of a record as they appear in responses. Omits values without a definition. */
export function attributeValueResponses(
  context: Context,
  values: StoredValues,
  definitionOf: (attributeId: number) => DealAttribute | ContactAttribute | undefined,
): (DealAttributeValue & ContactAttributeValue)[] {
  const shown = values.flatMap(({ attributeId, value }) => {
    const definition = definitionOf(attributeId);
    return definition
      ? { ...given({ order: definition.order }), response: attributeValueResponse(definition, value) }
      : [];
  });
  return context.list(byOrder(shown)).map(({ response }) => response);
}

/** Records a choice if a mandatory attribute has no value. The sandbox accepts a missing value. */
export function markMissingMandatory(
  context: Context,
  { id, mandatory }: { id: number; mandatory?: boolean },
  values?: StoredValues,
): void {
  if (mandatory && storedValue(values, id) === undefined) context.chose('attribute-without-effect');
}

/**
 * Explains why a value does not match the type of its attribute (rule `attribute-value-format`). Returns `undefined` if
 * the value matches.
 */
function attributeValueProblem(
  { type = AttributeType.Text, options = [] }: ValueForm,
  value: string,
): string | undefined {
  switch (type) {
    case AttributeType.Text:
      return undefined;
    case AttributeType.Number:
      return isNumber(value) ? undefined : 'The value of a number attribute must be a string that contains a number.';
    case AttributeType.Date:
      return isMinute(value)
        ? undefined
        : 'The value of a date attribute must have the format YYYY-MM-DD HH:MM, with a 24-hour clock.';
    case AttributeType.Link:
      return URL.canParse(value) ? undefined : 'The value of a link attribute must be a URL.';
    case AttributeType.Select:
      return among(options, value)
        ? undefined
        : `The value must be one of the attribute's options: ${JSON.stringify(options)}.`;
    case AttributeType.MultiSelect:
      return multiSelectProblem(options, value);
    default:
      // A value can have the type checkbox, but a definition cannot.
      return value === '0' || value === '1' ? undefined : "The value of a checkbox must be the string '0' or '1'.";
  }
}

function isNumber(value: string): boolean {
  return /^[+-]?\d+(\.\d+)?$/.test(value);
}

function isMinute(value: string): boolean {
  return value.length === 'YYYY-MM-DD HH:MM'.length && parseDateTime(value) !== undefined;
}

function multiSelectProblem(options: Readonly<AttributeOptions>, value: string): string | undefined {
  const chosen = jsonIn(value);
  if (Array.isArray(chosen) && chosen.every((one) => among(options, one))) return undefined;
  return `The value must be a string that contains a JSON array of the attribute's options: ${JSON.stringify(options)}.`;
}

/** Returns whether a value is one of the options. Compares both as strings, because either can be a number. */
function among(options: Readonly<AttributeOptions>, value: unknown): boolean {
  return (
    (typeof value === 'string' || typeof value === 'number') && options.some((one) => String(one) === String(value))
  );
}
