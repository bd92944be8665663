import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readNumber, UsageError } from '../../../shared/command-line.ts';
import { defaultProfile } from '../../../shared/credentials.ts';
import type { Effect } from '../../../shared/reference.ts';
import { formatOf } from '../../../shared/rows/read-rows.ts';
import type { Params } from '../../catalogue/check-params.ts';
import type { Connection } from '../../catalogue/connect.ts';
import { Differences } from '../../catalogue/differences.ts';
import type { Method } from '../../catalogue/methods.ts';
import { concernedBy, effectOf, reasonForSet } from '../../catalogue/needs-consent.ts';
import type { CallFlags } from '../call-options.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { createListWriter, type ListWriter, readNames } from '../output.ts';
import { withMarker } from './look-up.ts';
import { RowJournal } from './row-journal.ts';
import { type RowOptions, readEach } from './rows.ts';
import { SeenKeys } from './seen-keys.ts';
import { Sender } from './sender.ts';

/** Maximum number of problems shown before the question. */
const maxShown = 5;

/** A set of calls that a person may have to decide about. */
export interface CallsAsked {
  /** The first and the last one. */
  calls: Params[];
  count: number;
  /** Why a person is asked, as it follows "This". */
  reason: string | undefined;
  /** Lines about all calls of a set. */
  differences?: readonly string[] | undefined;
}

/** A run over the rows of a file. */
export interface EachRun {
  rows: RowOptions;
  flags: CallFlags;
  connect(): Promise<Connection>;
  /**
   * Asks a person about the calls, or refuses.
   *
   * @param set - `undefined` if the rows cannot be counted before they are sent
   */
  consent(connection: Connection, set: CallsAsked | undefined): Promise<void>;
  /** Describes a request as text. */
  describe(params: Params): Promise<string>;
}

/** The rows of a file, counted before the first request. */
interface Plan {
  /** Rows of the file. */
  rows: number;
  /** Rows that were done in an earlier run. */
  before: number;
  /** Rows that cannot be sent. */
  problems: number;
  /** Rows to send. */
  calls: number;
  first?: Params;
  last?: Params;
  effects: Set<Effect>;
  /** People or records that the calls concern. */
  concerned: number;
  /** Cells that look as if `--output csv` put an apostrophe before them. */
  guarded: number;
  differences: Differences;
}

/** Calls a method once for each row of a file. Resolves to the exit code. */
export async function runEach(run: EachRun, io: Io): Promise<number> {
  const { rows, flags } = run;
  if (flags.dryRun) return dryRun(run, io);
  const isRead = rows.method.effect === 'read';
  const writer = readOutput(run, io);
  const parallel = readParallel(flags.parallel);
  const connection = await run.connect();
  const files = readFiles(run, connection);
  const journal = isRead ? undefined : new RowJournal(files.journal, stepOf(rows.method, connection));
  try {
    for (const text of flags.decide ?? []) await decide(text, journal);
    const version = versionOf(rows);
    const plan = flags.each === '-' ? undefined : await readPlan(rows, io, await journal?.openIfThere());
    if (!isRead) await run.consent(connection, plan && setOf(rows, plan));
    // A person has agreed to the rows that were read.
    if (versionOf(rows) !== version)
      throw new UsageError(
        `${rows.source.name} was changed after it was read. Run the command again. Nothing was sent.`,
      );
    await journal?.open();
    // If all rows are valid, they are not checked again.
    const checked = plan?.problems === 0 ? { ...rows, hasDistinctKeys: true, findProblems: () => [] } : rows;
    const sender = new Sender(
      {
        ...files,
        rows: checked,
        total: plan?.rows,
        connection,
        journal,
        writer,
        isQuiet: flags.quiet === true,
      },
      io,
    );
    return await sender.send(parallel);
  } finally {
    await journal?.close();
    if (files.temporary !== undefined) rmSync(files.temporary, { recursive: true, force: true });
  }
}

/** Returns a version of the file, which differs if the file was changed or replaced. */
function versionOf({ source }: RowOptions): string {
  const { ino, size, mtimeMs } = statSync(source.name, { throwIfNoEntry: false }) ?? {};
  return [ino, size, mtimeMs].join(' ');
}

function setOf({ method, source }: RowOptions, plan: Plan): CallsAsked {
  const { calls, effects, concerned, first, last, differences } = plan;
  return {
    calls: [first, last].filter((params) => params !== undefined).slice(0, calls),
    count: calls,
    reason: calls === 0 ? undefined : reasonForSet(method, { effects, count: concerned }),
    differences: calls < 2 ? [] : [...differences.lines(), `The whole list is in ${source.name}.`],
  };
}

async function dryRun(run: EachRun, io: Io): Promise<number> {
  const plan = await readPlan(run.rows, io, undefined, false);
  if (plan.first) await io.write(await run.describe(withMarker(run.rows.method, plan.first, '<a random ID>')));
  io.note(
    `Dry run: ${count(plan.calls, 'request')} for ${count(plan.rows, 'row')}, the first is above. Nothing was sent.\n`,
  );
  return plan.problems > 0 ? exitCodes.incomplete : exitCodes.done;
}

/** Reads the whole file, so that a mistake in its last line is found before the first request. */
async function readPlan(options: RowOptions, io: Io, journal?: RowJournal, hasKeys = true): Promise<Plan> {
  const seen = hasKeys ? await SeenKeys.open() : undefined;
  const plan: Plan = {
    rows: 0,
    before: 0,
    problems: 0,
    calls: 0,
    effects: new Set(),
    concerned: 0,
    guarded: 0,
    differences: new Differences(options.method),
  };
  try {
    for await (const { line, key, params, guarded, problem } of readEach(options, seen)) {
      io.signal.throwIfAborted();
      plan.rows += 1;
      plan.guarded += guarded;
      if (problem !== undefined) {
        plan.problems += 1;
        if (plan.problems <= maxShown) io.note(`line ${line}: ${problem}\n`);
        continue;
      }
      if (journal?.isDone(key)) {
        plan.before += 1;
        continue;
      }
      plan.calls += 1;
      plan.first ??= params;
      plan.last = params;
      plan.differences.add(params);
      plan.effects.add(effectOf(options.method, params));
      plan.concerned += concernedBy(options.method, [params]);
    }
  } finally {
    seen?.close();
  }
  if (plan.problems > maxShown)
    io.note(`… and ${count(plan.problems - maxShown, 'further row')} that cannot be sent\n`);
  if (plan.guarded > 0)
    io.note(
      `${count(plan.guarded, 'cell')} ${plan.guarded === 1 ? 'begins' : 'begin'} with an apostrophe, as --output csv guards formulas. If the file was exported, add --exported.\n`,
    );
  return plan;
}

async function decide(text: string, journal: RowJournal | undefined): Promise<void> {
  const [, key = '', state = ''] = /^(.+)=(done|not-done)$/s.exec(text) ?? [];
  if (key === '') throw new UsageError(`--decide takes <key>=done or <key>=not-done, not '${text}'.`);
  if (!(await journal?.openIfThere()))
    throw new UsageError('--decide needs a journal, and this file does not have one yet.');
  await journal?.decide(key, state === 'done' ? 'done' : undefined).catch((error: unknown) => {
    throw error instanceof RangeError ? new UsageError(`--decide: ${error.message}.`, { cause: error }) : error;
  });
}

/** Returns the step in the journal. Several methods and addresses can use the same row. */
function stepOf(method: Method, { baseUrl }: Connection): string {
  return `${method.name} at ${baseUrl}`;
}

interface Files {
  journal: string;
  rejected: string;
  unknown: string;
  /** Folder to remove at the end. */
  temporary?: string;
}

function readFiles({ flags, rows }: EachRun, { isSandbox, profile }: Connection): Files {
  const { each = '', rejected, journal } = flags;
  const suffix = rows.format;
  // A file of rejected rows uses the journal of the whole file.
  const whole = each.replace(/(?:\.rejected\.(?:csv|ndjson))+$/, '');
  // The embedded sandbox, with all its changes, ends with the command.
  const temporary = isSandbox && journal === undefined ? mkdtempSync(join(tmpdir(), 'carillon-each-')) : undefined;
  if (each === '-' && journal === undefined && temporary === undefined && rows.method.effect !== 'read')
    throw new UsageError('Rows from standard input need --journal <file>, so that a later run knows what was sent.');
  const account = profile === undefined || profile === defaultProfile ? '' : `.${profile}`;
  const name = each === '-' ? (journal ?? 'rows') : each;
  const files = {
    journal:
      journal ?? (temporary === undefined ? `${whole}${account}.journal.sqlite` : join(temporary, 'journal.sqlite')),
    rejected: rejected ?? `${name}.rejected.${suffix}`,
    unknown: `${rejected ?? name}.unknown.${suffix}`,
  };
  for (const file of Object.values(files)) {
    // Renaming a device such as /dev/null would take it from every other program.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
      throw new UsageError(`${file} is not a file. Name another one with --journal or --rejected. Nothing was sent.`);
  }
  return { ...files, ...(temporary !== undefined && { temporary }) };
}

/** Writes the results of methods that read to standard output. Other results are written only on request. */
function readOutput(
  { rows: { method }, flags: { output, columns: chosen, json, raw = false } }: EachRun,
  io: Io,
): ListWriter | undefined {
  if (output === 'table' || output === 'json')
    throw new UsageError(`--each writes ndjson, csv or text, not ${output}.`);
  const fields = readNames('--json', json);
  const columns = readNames('--columns', chosen);
  if (fields && (columns || (output && output !== 'ndjson')))
    throw new UsageError('--json writes ndjson. Use --columns for csv or text.');
  if (columns && output === 'ndjson') throw new UsageError('--columns writes csv or text. Use --json for ndjson.');
  const result = method.effect === 'read' ? 'reply' : 'id';
  const names = ['line', 'key', result];
  const unknown = (fields ?? columns ?? []).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new UsageError(`--each writes line, key and ${result}, not ${unknown}.`);
  const asked = columns ? 'csv' : fields || method.effect === 'read' ? 'ndjson' : undefined;
  const format = output ?? asked;
  const layout = { columns: columns ?? names, fields, isRaw: raw, isTerminal: io.isTerminal.output };
  return format && createListWriter({ format, ...layout });
}

function readParallel(text = '1'): number {
  return readNumber(text, 'parallel', { whole: true, min: 1, max: 16 });
}

/** `1 row`, `1,000 rows`. */
function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

/** Reads the options for the rows of a call. */
export function rowOptions(
  method: Method,
  flags: CallFlags,
  fixed: Params,
  io: Io,
  findProblems: RowOptions['findProblems'],
): RowOptions {
  const { each = '', format, key, skipColumns, exported = false } = flags;
  const isInput = each === '-';
  if (isInput && format === undefined)
    throw new UsageError('Rows from standard input need --format csv or --format ndjson.');
  const found = isInput ? undefined : statSync(each, { throwIfNoEntry: false });
  if (found?.isFIFO() || found?.isCharacterDevice() || found?.isSocket()) {
    throw new UsageError(
      `${each} is not a file, which is read twice. For a pipe, use --each - and standard input. Nothing was sent.`,
    );
  }
  const rowFormat = format ?? formatOf(each);
  if (exported && rowFormat !== 'csv')
    throw new UsageError('--exported needs CSV. NDJSON has no apostrophes to remove.');
  return {
    method,
    source: isInput
      ? { name: 'standard input', open: () => io.openInput() }
      : { name: each, open: () => io.openFile(each) },
    format: rowFormat,
    fixed,
    keyColumn: key,
    skipped: skipColumns?.split(',').map((name) => name.trim()) ?? [],
    isExported: exported,
    findProblems,
  };
}
