import type { Fact } from './before-call.ts';
import { brief } from './brief.ts';
import type { Params } from './check-params.ts';
import { fieldsOf } from './fields.ts';
import type { Method } from './methods.ts';
import { hideSecretFields } from './secret-fields.ts';

/** A call that a person decides about. */
export interface CallFacts {
  readonly params: Params;
  /** Facts that were read about the call. */
  readonly facts: readonly Fact[];
}

/**
 * Describes calls of a method for the person who decides about them. The text contains no credentials. Others write names and
 * values, so each is JSON on one line and cannot look like another line.
 *
 * @param reason - why the person is asked, as it follows "This"
 * @param calls - the first call, or the first and the last of a set
 * @param count - number of calls in the set
 * @param differences - lines about all calls of a set
 * @param write - the form of JSON: code for clients that show Markdown, plain for terminals
 */
export function describeCalls(
  method: Method,
  reason: string,
  calls: readonly CallFacts[],
  count: number,
  most: number,
  write: (json: string) => string,
  differences: readonly string[] = [],
): { what: string; lines: string[] } {
  const times = count > 1 ? `, ${count.toLocaleString('en-GB')} calls` : '';
  const headings = count > 1 ? ['The first call:', 'The last call:'] : [undefined];
  const lines = calls.flatMap((call, at) => {
    const heading = headings[at];
    return [...(heading === undefined ? [] : [heading]), ...linesOf(method, call, most / calls.length, write)];
  });
  return {
    what: `${method.summary} (${method.name}${times}). This ${reason}.`,
    lines: [...lines, ...differences],
  };
}

function linesOf(
  method: Method,
  { params, facts }: CallFacts,
  most: number,
  write: (json: string) => string,
): string[] {
  const order = fieldsOf(method).map(({ name }) => name);
  const shown = Object.entries(Object(hideSecretFields(params)))
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  const room = Math.floor(most / Math.max(1, shown.length));
  return [
    ...shown.map(([name, value]) => {
      const { json, isShort } = brief(value, room);
      return `- ${plainName(name)}${countOf(value)}: ${write(json)}${isShort ? ' (shortened; the whole is sent)' : ''}`;
    }),
    ...facts.map(({ name, json }) => `  ${plainName(name)}: ${write(json)}`),
  ];
}

/** Others write names that the documents do not contain. */
function plainName(name: string): string {
  return /^[\w ]+$/.test(name) ? name : brief(name, 80).json;
}

/** Shows the number of items, such as recipients, because people decide by it. */
function countOf(value: unknown): string {
  if (!Array.isArray(value)) return '';
  return ` (${value.length.toLocaleString('en-GB')} ${value.length === 1 ? 'item' : 'items'})`;
}
