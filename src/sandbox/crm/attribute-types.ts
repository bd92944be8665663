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

/** The part of a definition that determines the format of a value. */
export interface ValueForm {
  /** Default: text. */
  type?: number;
  options?: Readonly<AttributeOptions> | undefined;
}

/** The part of a definition that applies to its values. */
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

/** Marks a response if an update changes the form of an attribute's values, which stay as they are. */
export function markReshaped(context: Context, before: ValueForm, { type, options }: ValueForm): void {
  if ((type !== undefined && type !== before.type) || options !== undefined)
    context.chose('attribute-change-keeps-values');
}

/** Choices about formats that are not fully documented. */
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

/** An attribute value as responses return it, with the fields of its definition. */
export function attributeValueResponse(
  { id, type, status, options }: DealAttribute | ContactAttribute,
  value: string,
): DealAttributeValue & ContactAttributeValue {
  return { attributeId: id, value, ...given({ type, status, options }) };
}

/** The values of a record as responses return them, without those that `definitionOf` does not find. */
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

/** Marks a response if an attribute is mandatory and has no value. The sandbox accepts this. */
export function markMissingMandatory(
  context: Context,
  { id, mandatory }: { id: number; mandatory?: boolean },
  values?: StoredValues,
): void {
  if (mandatory && storedValue(values, id) === undefined) context.chose('attribute-without-effect');
}

/**
 * Explains why a value does not match the type of its attribute (rule `attribute-value-format`). Returns `undefined` if
 * it does.
 */
function attributeValueProblem(
  { type = AttributeType.Text, options = [] }: ValueForm,
  value: string,
): string | undefined {
  switch (type) {
    case AttributeType.Text:
      return undefined;
    case AttributeType.Number:
      return isNumber(value) ? undefined : 'The value of a number attribute must be a number as text.';
    case AttributeType.Date:
      return isMinute(value)
        ? undefined
        : 'The value of a date attribute must have the format YYYY-MM-DD HH:MM, with 24 hours.';
    case AttributeType.Link:
      return URL.canParse(value) ? undefined : 'The value of a link attribute must be a URL.';
    case AttributeType.Select:
      return among(options, value)
        ? undefined
        : `The value must be one of the options of the attribute: ${JSON.stringify(options)}.`;
    case AttributeType.MultiSelect:
      return multiSelectProblem(options, value);
    default:
      // A checkbox is a type of values, but not of definitions.
      return value === '0' || value === '1' ? undefined : 'The value of a checkbox must be 0 or 1, as text.';
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
  return `The value must be a JSON array, as text, of options of the attribute: ${JSON.stringify(options)}.`;
}

/** Options are strings or integers, and values are strings, so this compares them as strings. */
function among(options: Readonly<AttributeOptions>, value: unknown): boolean {
  return (
    (typeof value === 'string' || typeof value === 'number') && options.some((one) => String(one) === String(value))
  );
}
