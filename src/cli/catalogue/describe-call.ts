import type { Params } from './check-params.ts';
import { fieldsOf } from './fields.ts';
import type { Method } from './methods.ts';
import { hideSecretFields } from './secret-fields.ts';
import { effectTexts } from './type-text.ts';

/** What a person reads before a call that deletes, reaches people or costs money. */
export interface CallText {
  /** What the call does: `Delete a deal (crm.deals.delete). This deletes.` */
  what: string;
  /** A line for each parameter: its name, how many items it has, its value. */
  params: string[];
}

/**
 * Describes a call in words. No credential is in it.
 *
 * @param write - the text of a value, on one line
 */
export function describeCall(method: Method, params: Params, write: (value: unknown) => string): CallText {
  const order = fieldsOf(method).map(({ name }) => name);
  const shown = Object.entries(Object(hideSecretFields(params)))
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  return {
    what: `${method.summary} (${method.name}). This ${effectTexts[method.effect]}.`,
    params: shown.map(([name, value]) => `${plainName(name)}${countOf(value)}: ${write(value)}`),
  };
}

/** Names that the documents do not contain are words of others: as JSON, they cannot look like another line of the text. */
function plainName(name: string): string {
  return /^\w+$/.test(name) ? name : JSON.stringify(name);
}

/** How many a call concerns is what a person decides by: recipients, phone numbers, addresses. */
function countOf(value: unknown): string {
  if (!Array.isArray(value)) return '';
  return ` (${value.length.toLocaleString('en-GB')} ${value.length === 1 ? 'item' : 'items'})`;
}
