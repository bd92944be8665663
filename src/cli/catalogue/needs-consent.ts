import type { Effect, People } from '../../shared/reference.ts';
import type { Params } from './check-names.ts';
import type { Method } from './methods.ts';

/** Maximum number of people or records that a call can affect before a person must confirm it. */
export const maxPeople = 10;

/** Returns the effect of one call. Some methods reach people only with certain parameter values. */
export function effectOf({ effect, sendsIf = {} }: Method, params: Params): Effect {
  // The service may interpret a value of another type, such as "1", as the value that sends.
  const isHarmless = Object.entries(sendsIf).some(
    ([name, value]) => typeof params[name] === typeof value && params[name] !== value,
  );
  return isHarmless ? 'write' : effect;
}

/** Counts the people that the parameters of a call name. Returns infinity if the parameters do not list single people. */
function peopleIn({ fields, groups = [] }: People, params: Params): number {
  if (groups.some(({ field }) => params[field] !== undefined && params[field] !== null))
    return Number.POSITIVE_INFINITY;
  const counts = fields.map((name) => {
    const value = params[name];
    if (value === undefined) return 0;
    return Array.isArray(value) && value.every(isOnePerson) ? value.length : Number.POSITIVE_INFINITY;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Whether a list item can only be one person: a number, a string without separators, or a record of such values. */
function isOnePerson(item: unknown): boolean {
  if (typeof item === 'string') return isOneAddress(item);
  if (typeof item !== 'object' || item === null) return typeof item === 'number';
  if (Array.isArray(item)) return false;
  const { email = '', ...others } = { ...item };
  return (
    typeof email === 'string' &&
    isOneAddress(email) &&
    Object.values(others).every((value) => typeof value !== 'object' || value === null)
  );
}

function isOneAddress(text: string): boolean {
  return !/[,;\r\n]/.test(text);
}

/**
 * Returns why a person must confirm calls to a method: the calls reach people, cost money, cannot be undone, or affect many
 * people or records.
 *
 * @param calls - the parameters of each call
 * @param most - maximum number of people or records that need no confirmation
 * @param before - number of people or records that earlier calls to this method affected without confirmation
 * @returns the rest of a sentence that begins with "This", or `undefined` if no confirmation is needed
 */
export function reasonToAsk(
  method: Method,
  calls: readonly Params[],
  most: number = maxPeople,
  before: number = 0,
): string | undefined {
  const effects = new Set(calls.map((params) => effectOf(method, params)));
  return reasonForSet(method, { effects, count: concernedBy(method, calls) }, most, before);
}

/** The effects of several calls, and the number of people or records that they affect. */
export interface CountedCalls {
  readonly effects: ReadonlySet<Effect>;
  /** Number of people or records, as `concernedBy` counts them. */
  readonly count: number;
}

/** Like `reasonToAsk`, but takes the effects and the number of people or records instead of the calls. */
export function reasonForSet(
  method: Method,
  { effects, count }: CountedCalls,
  most: number = maxPeople,
  before: number = 0,
): string | undefined {
  if (effects.has('send')) return 'reaches people or costs money';
  if (method.undo === 'none') {
    if (effects.has('delete')) return 'deletes data in a way that no call can undo';
    if (effects.has('write')) return 'changes data in a way that no call can undo';
  }
  const isRead = [...effects].every((effect) => effect === 'read');
  if (count + before <= most || isRead) return undefined;
  const [one, several] = method.people ? ['person', 'people'] : ['record', 'records'];
  if (!Number.isFinite(count)) return `affects an unknown number of ${several}`;
  const earlier = before > 0 ? `, after ${before.toLocaleString('en-GB')} in earlier calls` : '';
  return `affects ${count.toLocaleString('en-GB')} ${count === 1 ? one : several}${earlier}`;
}

/** Counts the people that calls affect. If the method does not name people, each call counts as one record. */
export function concernedBy(method: Method, calls: readonly Params[]): number {
  const { people } = method;
  return people ? calls.reduce((sum, params) => sum + peopleIn(people, params), 0) : calls.length;
}

/** Returns whether a person must confirm each call to a method, some calls, or none. */
export function whenAsked(method: Method): 'always' | 'sometimes' | 'never' {
  if (method.effect === 'read') return 'never';
  if (method.sendsIf === undefined && (method.effect === 'send' || method.undo === 'none')) return 'always';
  return method.sendsIf !== undefined || method.people !== undefined ? 'sometimes' : 'never';
}
