import {
  type AttributeOptions,
  AttributeStatus,
  AttributeType,
  type ContactAttribute,
  type ContactAttributeValue,
  type DealAttribute,
  type DealAttributeValue,
} from '../../../generated/crm/models.ts';
import type { AnyChoice } from '../choices.ts';
import type { Context } from '../context.ts';
import { given } from './records.ts';

/** The part of a definition that determines the form of a value. */
export interface ValueForm {
  /** Text if it is not given. */
  type?: number;
  options?: AttributeOptions;
}

/** The part of a definition that concerns its values. */
interface Definition extends ValueForm {
  status?: AttributeStatus;
}

/** Choices about forms that are not documented in full. */
const formChoices: { [Type in number]?: AnyChoice } = {
  [AttributeType.Number]: 'numeric-text',
  [AttributeType.Link]: 'link-url',
};

/** Refuses a value that does not have the form that the type of its attribute demands. */
export function checkAttributeValue(context: Context, definition: Definition, value: string): void {
  const { type, status } = definition;
  const message = attributeValueProblem(definition, value);
  const choice = type === undefined ? undefined : formChoices[type];
  if (message !== undefined) context.refuse('attribute-value-format', { message, ...(choice && { choice }) });
  if (choice) context.chose(choice);
  if (status !== undefined && status !== AttributeStatus.Active) context.chose('attribute-without-effect');
}

/** The value of an attribute with what replies show of its definition. */
export function attributeValueReply(
  { id, type, status, options }: DealAttribute | ContactAttribute,
  value: string,
): DealAttributeValue & ContactAttributeValue {
  return { attributeId: id, value, ...given({ type, status, options }) };
}

/** Marks a reply if a mandatory attribute has no value, which the sandbox accepts. */
export function markMissingMandatory(
  context: Context,
  definitions: ReadonlyMap<number, { mandatory?: boolean }>,
  values: ReadonlyMap<number, string> = new Map(),
): void {
  for (const [id, { mandatory }] of definitions) {
    if (mandatory && !values.has(id)) context.chose('attribute-without-effect');
  }
}

/**
 * Why a value does not have the form that the type of its attribute demands (rule `attribute-value-format`), or
 * `undefined`.
 */
export function attributeValueProblem(
  { type = AttributeType.Text, options = [] }: ValueForm,
  value: string,
): string | undefined {
  switch (type) {
    case AttributeType.Text:
      return undefined;
    case AttributeType.Number:
      return isNumber(value) ? undefined : 'The value of a number attribute is a number as text.';
    case AttributeType.Date:
      return isMinute(value)
        ? undefined
        : 'The value of a date attribute has the form YYYY-MM-DD HH:MM, with 24 hours.';
    case AttributeType.Link:
      return URL.canParse(value) ? undefined : 'The value of a link attribute is a URL.';
    case AttributeType.Select:
      return among(options, value)
        ? undefined
        : `The value is one of the options of the attribute, which are ${JSON.stringify(options)}.`;
    case AttributeType.MultiSelect:
      return multiSelectProblem(options, value);
    default:
      // Checkbox: values have this type, definitions do not.
      return value === '0' || value === '1' ? undefined : 'The value of a checkbox is 0 or 1, as text.';
  }
}

function isNumber(value: string): boolean {
  return /^[+-]?\d+(\.\d+)?$/.test(value);
}

/** The form, and a day that exists. */
function isMinute(value: string): boolean {
  const form = /^(\d{4}-\d{2}-\d{2}) ([01]\d|2[0-3]):[0-5]\d$/.exec(value);
  if (!form) return false;
  const day = new Date(`${form[1]}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(`${form[1]}T`);
}

function multiSelectProblem(options: AttributeOptions, value: string): string | undefined {
  const problem = `The value is a JSON array, as text, of options of the attribute, which are ${JSON.stringify(options)}.`;
  try {
    const chosen: unknown = JSON.parse(value);
    return Array.isArray(chosen) && chosen.every((one) => among(options, one)) ? undefined : problem;
  } catch {
    return problem;
  }
}

/** Options are strings or integers, and values are texts: they are compared as text. */
function among(options: AttributeOptions, value: unknown): boolean {
  return (
    (typeof value === 'string' || typeof value === 'number') && options.some((one) => String(one) === String(value))
  );
}
