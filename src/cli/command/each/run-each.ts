import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { JobRowDetails } from 'carillon-jobs';
import { readNumber, UsageError } from '../../../shared/command-line.ts';
import type { Effect } from '../../../shared/reference.ts';
import { formatOf } from '../../../shared/rows/read-rows.ts';
import type { Params } from '../../catalogue/check-params.ts';
import type { Connection } from '../../catalogue/connect.ts';
import { Differences } from '../../catalogue/differences.ts';
import type { Method } from '../../catalogue/methods.ts';
import { concernedBy, effectOf, reasonForSet } from '../../catalogue/needs-consent.ts';
import { replaceInvisible } from '../../text/invisible.ts';
import type { CallFlags } from '../call-options.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { createListWriter, type ListWriter, readNames } from '../output.ts';
import { withMarker } from './marker.ts';
import { RowProgress } from './progress.ts';
import { readForEach } from './read-each.ts';
import { type Run, report, writeResult } from './report.ts';
import type { RowJob } from './row-job.ts';
import { RowList } from './row-list.ts';
import { countGuarded, type RowOptions, readEach } from './rows.ts';

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
  /** Asks a person about the calls, or refuses. */
  consent(connection: Connection, set: CallsAsked): Promise<void>;
  /** Describes a request as text. */
  describe(params: Params): Promise<string>;
}

/** The rows of a file, counted before the first request. */
interface Plan {
  /** Rows of the file. */
  rows: number;
  /** Rows that cannot be sent. */
  problems: number;
  /** Rows to send. */
  calls: number;
  first?: Params;
  last?: Params;
  effects: Set<Effect>;
  /** People or records that the calls concern. */
  concerned: number;
  differences: Differences;
}

/** Calls a method once for each row of a file. Resolves to the exit code. */
export async function runEach(given: EachRun, io: Io): Promise<number> {
  const { rows, flags } = given;
  const list = await RowList.open(rows.fixed);
  let folder: string | undefined;
  try {
    if (flags.dryRun) return await dryRun(given, list, io);
    const writer = readOutput(given, io);
    const parallel = readNumber(flags.parallel ?? '1', 'parallel', { whole: true, min: 1, max: 16 });
    const connection = await given.connect();
    // The embedded sandbox, with all its changes, ends with the command.
    if (connection.isSandbox) folder = mkdtempSync(join(tmpdir(), 'carillon-each-'));
    const isQuiet = flags.quiet === true;
    const progress = new RowProgress(isQuiet ? { ...io, note() {} } : io);
    const files = readFiles(given);
    const run: Run = { ...{ rows, connection, list, writer, files, progress, io, parallel, isQuiet } };
    if (rows.method.effect !== 'read') return await sendRows(given, run, folder);
    await readPlan(run);
    return await end(run, () => readForEach(run));
  } finally {
    list.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Sends the rows as a job, after a person has agreed to them. */
async function sendRows({ flags, consent }: EachRun, run: Run, temporary: string | undefined): Promise<number> {
  const { rows, connection, list, io } = run;
  const warn = (message: string): void => {
    run.progress.end();
    if (!run.isQuiet) io.note(`${replaceInvisible(message)}\n`);
  };
  // Loaded on demand, because only these calls need jobs.
  const { openRowJob } = await import('./row-job.ts');
  const job = await openRowJob(rows.method, connection, list, { ...placeOf(flags, temporary), warn });
  try {
    for (const text of flags.decide ?? []) await decide(text, job);
    const version = versionOf(rows);
    const plan = await readPlan(run, job);
    await consent(connection, setOf(rows, plan));
    // A person has agreed to the rows that were read.
    if (versionOf(rows) !== version)
      throw new UsageError(
        `${rows.source.name} was changed after it was read. Run the command again. Nothing was sent.`,
      );
    const isNeeded = plan.calls > 0 || flags.decide !== undefined;
    return await end(run, async () => {
      if (isNeeded && !io.signal.aborted) await work(job, run);
      await writeOutcomes(job, run);
    });
  } finally {
    await job.close();
  }
}

/** Does the work of a run, and reports what became of its rows. Ctrl+C ends it after the requests in flight. */
async function end(run: Run, act: () => Promise<void>): Promise<number> {
  const { io, progress } = run;
  const stop = (): void => {
    progress.end();
    io.note('Stopping after the requests in flight …\n');
  };
  if (io.signal.aborted) stop();
  io.signal.addEventListener('abort', stop, { once: true });
  try {
    await act();
  } catch (error) {
    if (!io.signal.aborted) run.failure ??= error;
  } finally {
    io.signal.removeEventListener('abort', stop);
    progress.end();
  }
  return report(run);
}

async function work(job: RowJob, run: Run): Promise<void> {
  const { list, parallel, progress, io } = run;
  const before = list.counts();
  const total = before.before + before.rejected + before.open;
  const planned = await job.plan();
  run.reason = await job.work(parallel, io.signal, ({ rows, lookups }) => {
    const rejected = before.rejected + rows.rejected - planned.rows.rejected;
    if (!io.signal.aborted) progress.show(total - rows.planned - rows.sent, total, rejected, lookups?.rows);
  });
  if (run.reason !== undefined) run.failure = job.failure();
  progress.end();
}

/** Writes what the job knows of the rows. */
async function writeOutcomes(job: RowJob, run: Run): Promise<void> {
  const { list, writer } = run;
  for (const page of writer ? list.pages('open', 'before') : list.pages('open')) {
    const found = await job.rows(page);
    for (const row of page) {
      const known = found.get(row.key);
      const id = resultOf(known);
      if (id !== undefined) {
        run.hasIds ||= id !== 'done';
        await writeResult(run, row, { id });
        if (row.state === 'open') list.set(row, 'done');
      } else if (known?.state === 'rejected' || known?.state === 'unknown') {
        const { state, reason = '', code } = known;
        list.set(row, state, replaceInvisible(code === undefined ? reason : `${reason} [${code}]`));
      }
    }
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

async function dryRun({ rows, describe }: EachRun, list: RowList, io: Io): Promise<number> {
  const plan = await readPlan({ rows, list, io });
  if (plan.first) await io.write(await describe(withMarker(rows.method, plan.first, '<a random ID>')));
  io.note(
    `Dry run: ${count(plan.calls, 'request')} for ${count(plan.rows, 'row')}, the first is above. Nothing was sent.\n`,
  );
  return plan.problems > 0 ? exitCodes.incomplete : exitCodes.done;
}

/**
 * Reads the whole file, so that a mistake in its last line is found before the first request.
 *
 * @param job - the job of an earlier run, which knows what is done
 */
async function readPlan({ rows: options, list, io }: Pick<Run, 'rows' | 'list' | 'io'>, job?: RowJob): Promise<Plan> {
  const { method } = options;
  const plan: Plan = {
    ...{ rows: 0, problems: 0, calls: 0, concerned: 0 },
    ...{ effects: new Set(), differences: new Differences(method) },
  };
  let guarded = 0;
  for await (const row of readEach(options, list)) {
    io.signal.throwIfAborted();
    plan.rows += 1;
    guarded += countGuarded(row, options);
    list.add(row);
    if (row.problem === undefined) continue;
    plan.problems += 1;
    if (plan.problems <= maxShown) io.note(`line ${row.line}: ${row.problem}\n`);
  }
  for (const page of list.pages('open')) {
    const known = await job?.rows(page);
    for (const row of page) {
      const found = known?.get(row.key);
      if (resultOf(found) !== undefined) list.set(row, 'before');
      else if (found?.state !== 'unknown') addCall(plan, method, row.params);
    }
  }
  if (plan.problems > maxShown)
    io.note(`… and ${count(plan.problems - maxShown, 'further row')} that cannot be sent\n`);
  if (guarded > 0)
    io.note(
      `${count(guarded, 'cell')} ${guarded === 1 ? 'begins' : 'begin'} with an apostrophe, as --output csv guards formulas. If the file was exported, add --exported.\n`,
    );
  return plan;
}

function addCall(plan: Plan, method: Method, params: Params): void {
  plan.calls += 1;
  plan.first ??= params;
  plan.last = params;
  plan.differences.add(params);
  plan.effects.add(effectOf(method, params));
  plan.concerned += concernedBy(method, [params]);
}

/** Result of a row that is done, or that a person said to be done. */
function resultOf({ state, results = {} }: Partial<JobRowDetails> = {}): unknown {
  const [id] = Object.values(results);
  return id ?? (state === 'done' || id === null ? 'done' : undefined);
}

async function decide(text: string, job: RowJob): Promise<void> {
  const [, key = '', state = ''] = /^(.+)=(done|not-done)$/s.exec(text) ?? [];
  if (key === '') throw new UsageError(`--decide takes <key>=done or <key>=not-done, not '${text}'.`);
  await job.decide(key, state === 'done').catch((cause: unknown) => {
    throw new UsageError(`--decide: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  });
}

/** The folder of the job, and what names the file in a folder of several ones. */
function placeOf({ each = '', data }: CallFlags, temporary: string | undefined): { folder: string; file: string } {
  // A file of rejected rows belongs to the job of the whole file.
  const whole = each.replace(/(?:\.rejected\.(?:csv|ndjson))+$/, '');
  if (data === undefined) {
    if (each === '-' && temporary === undefined)
      throw new UsageError('Rows from standard input need --data <folder>, so that a later run knows what was sent.');
    return { folder: temporary ?? `${whole}.jobs`, file: '' };
  }
  if (statSync(data, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new UsageError(`${data} is not a folder. Name another one with --data. Nothing was sent.`);
  return { folder: data, file: each === '-' ? '' : relative(data, whole) };
}

/** The files for rejected and unknown rows, beside the file. */
function readFiles({ rows: { format }, flags: { each = '', rejected, data } }: EachRun): Run['files'] {
  const name = each === '-' ? (data ?? 'rows') : each;
  const files = {
    rejected: rejected ?? `${name}.rejected.${format}`,
    unknown: `${rejected ?? name}.unknown.${format}`,
  };
  for (const file of Object.values(files)) {
    // Renaming a device such as /dev/null would take it from every other program.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
      throw new UsageError(`${file} is not a file. Name another one with --rejected. Nothing was sent.`);
  }
  return files;
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
    throw new UsageError(`${each} is not a file. For a pipe, use --each - and standard input. Nothing was sent.`);
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
