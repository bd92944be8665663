import type { Client } from 'carillon';
import { readNumber, UsageError } from '../../shared/command-line.ts';
import { isRecord } from '../../shared/is-record.ts';
import { callMethod } from '../catalogue/call.ts';
import type { Params } from '../catalogue/check-params.ts';
import type { Method } from '../catalogue/methods.ts';
import type { CallFlags } from './call-options.ts';
import { quietly } from './connection.ts';
import { IncompleteError } from './exit-codes.ts';
import type { Io } from './io.ts';
import type { Layout } from './output.ts';
import { isPassing } from './passing.ts';
import { createOutput } from './write-value.ts';

const defaultSeconds = 10;
/** Consecutive failures after which the service seems to be down. */
const maxInARow = 5;

/** A field, and the values that end the watch. */
interface End {
  readonly name: string;
  readonly values: readonly string[];
}

/**
 * Repeats a call that reads, and writes the reply whenever it differs from the one before. Ends when a field has one of its
 * final values, or that of `--until`.
 *
 * @throws `UsageError` for invalid options; `IncompleteError` if the record is final without the value of `--until`; the error of the call if it is not passing, or after five failures in a row
 */
export async function watch(
  method: Method,
  params: Params,
  client: Client,
  flags: CallFlags,
  layout: Layout,
  io: Io,
): Promise<void> {
  const seconds = readSeconds(flags.every);
  const ends = endsOf(method, flags.until);
  const notes = quietly(io, flags);
  notes.note(`Every ${seconds} s, ${describeEnds(method, ends)}. Ctrl+C stops.\n`);
  // Several JSON documents are lines.
  const written: Layout = layout.format === 'json' ? { ...layout, format: 'ndjson' } : layout;
  let before: string | undefined;
  let failures = 0;
  for (;;) {
    try {
      const reply = await callMethod(client, method.name, params, { signal: io.signal });
      const record = method.paging && isRecord(reply) ? reply.data : reply;
      failures = 0;
      const text = JSON.stringify(record);
      if (text !== before) {
        const output = createOutput(written, io);
        if (Array.isArray(record)) {
          await output.items(record);
          await output.end();
        } else await output.value(record);
      }
      before = text;
      if (isOver(method, ends, record)) return;
      refuseFinal(method, ends, record);
    } catch (error) {
      failures += 1;
      if (io.signal.aborted || !isPassing(error) || failures >= maxInARow) throw error;
      notes.note(`${error instanceof Error ? error.message : String(error)}. Trying again.\n`);
    }
    await io.wait(seconds * 1000);
  }
}

function readSeconds(text: string | undefined): number {
  if (text === undefined) return defaultSeconds;
  return readNumber(text, 'every', { kind: 'number of seconds', min: 1, max: 86_400 });
}

function endsOf({ final = {} }: Method, until: string | undefined): End[] {
  if (until === undefined) return Object.entries(final).map(([name, values]) => ({ name, values: values.map(String) }));
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(until) ?? [];
  if (name === '') throw new UsageError(`--until takes name=value, such as status=sent, not '${until}'.`);
  return [{ name, values: [value] }];
}

/** @throws {@link IncompleteError} if the record has a final value, so that the watch would not end */
function refuseFinal({ final = {} }: Method, [end]: readonly End[], record: unknown): void {
  if (!isRecord(record) || !end) return;
  const reached = Object.entries(final).find(([name, values]) => values.map(String).includes(String(record[name])));
  if (!reached) return;
  const [name] = reached;
  const wish = name === end.name ? 'it' : end.name;
  throw new IncompleteError(
    `${name} is ${record[name]}, which is final: ${wish} will not become ${end.values.join(', ')}`,
  );
}

function describeEnds({ returns }: Method, ends: readonly End[]): string {
  if (ends.length > 0) return `until ${ends.map(({ name, values }) => `${name} is ${values.join(', ')}`).join(' or ')}`;
  return returns === 'value'
    ? 'without an end: the documents do not say when it is done (--until name=value)'
    : 'without an end';
}

/** @throws `UsageError` if the record has no such field */
function isOver({ name: method }: Method, ends: readonly End[], record: unknown): boolean {
  if (!isRecord(record)) return false;
  return ends.some(({ name, values }) => {
    if (!Object.hasOwn(record, name))
      throw new UsageError(
        `--until: ${method} returned no field ${name}. The fields are ${Object.keys(record).join(', ')}.`,
      );
    return values.includes(String(record[name]));
  });
}
