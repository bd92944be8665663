import type { CarillonError, Client } from 'carillon';
import { type Fact, readBefore } from './before-call.ts';
import type { Params } from './check-names.ts';
import { Differences } from './differences.ts';
import { fieldsOf } from './fields.ts';
import type { Method } from './methods.ts';
import { hideSecretFields } from './secret-fields.ts';
import { plainName, shortenJson } from './shorten-json.ts';

/** A call that needs a person's consent. */
export interface CallFacts {
  readonly params: Params;
  /** Facts that were read about the call. */
  readonly facts: readonly Fact[];
}

/** A question that asks a person to confirm calls to one method. */
export interface Question {
  readonly method: Method;
  /** Why the person is asked: the rest of a sentence that begins with "This". */
  readonly reason: string;
  /** The only call, or the first and the last call of a set. */
  readonly calls: readonly CallFacts[];
  /** Number of calls. */
  readonly count: number;
  /** Lines about all calls in a set. */
  readonly differences?: readonly string[] | undefined;
}

/** Thrown if the service rejects a call in its test mode. The person is then not asked. */
export class RehearsalRejectedError extends Error {
  override readonly name = 'RehearsalRejectedError';
  readonly rejection: CarillonError;

  constructor(rejection: CarillonError) {
    super('The person was not asked, because the service rejected the call in its test mode. Nothing was sent.');
    this.rejection = rejection;
  }
}

/**
 * Reads facts about calls, and creates the question for the person.
 *
 * @throws `RehearsalRejectedError` if the service rejects one of the calls in its test mode
 */
export function readQuestion(
  client: Client,
  method: Method,
  reason: string,
  calls: readonly Params[],
  signal: AbortSignal,
): Promise<Question> {
  const differences = new Differences(method);
  for (const call of calls) differences.add(call);
  const shown = calls.length > 1 ? [calls.slice(0, 1), calls.slice(-1)].flat() : calls;
  return readSetQuestion(
    client,
    { method, reason, count: calls.length, differences: differences.lines() },
    shown,
    signal,
  );
}

/**
 * Like {@link readQuestion}, but takes only the calls to show, with the number of all calls and the differences between them.
 */
export async function readSetQuestion(
  client: Client,
  asked: Omit<Question, 'calls'>,
  shown: readonly Params[],
  signal: AbortSignal,
): Promise<Question> {
  const read = async (params: Params) => ({ params, facts: await readBefore(client, asked.method, params, signal) });
  const calls = await Promise.all(shown.map(read));
  for (const { rejection } of calls.flatMap(({ facts }) => facts))
    if (rejection) throw new RehearsalRejectedError(rejection);
  return { ...asked, calls };
}

/**
 * Describes calls to a method for the person who decides whether to make the calls. The text contains no credentials. Names
 * and values may be written by others, so each value is JSON on one line and cannot imitate another line.
 *
 * @param most - maximum length of the parameters
 * @param write - formats JSON: as code for clients that show Markdown, as plain text for terminals
 */
export function describeCalls(
  { method, reason, calls, count, differences = [] }: Question,
  most: number,
  write: (json: string) => string,
): { what: string; lines: string[] } {
  const times = count > 1 ? `, ${count.toLocaleString('en-GB')} calls` : '';
  const headings = count > 1 ? ['The first call:', 'The last call:'] : [];
  const lines = calls.flatMap((call, at) => [
    ...headings.slice(at, at + 1),
    ...linesOf(method, call, most / calls.length, write),
  ]);
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
      const { json, isShort } = shortenJson(value, room);
      return `- ${plainName(name)}${countOf(value)}: ${write(json)}${isShort ? ' (shortened; sent in full)' : ''}`;
    }),
    ...facts.map(({ name, json }) => `  ${plainName(name)}: ${write(json)}`),
  ];
}

/** Returns the number of items, such as recipients, which matters for the person's decision. */
function countOf(value: unknown): string {
  if (!Array.isArray(value)) return '';
  return ` (${value.length.toLocaleString('en-GB')} ${value.length === 1 ? 'item' : 'items'})`;
}
