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
import { Report, type Reported } from './report.ts';
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
  differences: Differences;
}

/** Calls a method once for each row of a file. Resolves to the exit code. */
export async function runEach(run: EachRun, io: Io): Promise<number> {
  if (run.flags.dryRun) return dryRun(run, io);
  const writer = readOutput(run, io);
  const parallel = readParallel(run.flags.parallel);
  const connection = await run.connect();
  const files = readFiles(run, connection);
  const list = await RowList.open(run.rows.fixed);
  try {
    const reported = { ...files, rows: run.rows, connection, writer, isQuiet: run.flags.quiet === true };
    return await sendRows(run, reported, files, list, parallel, io);
  } finally {
    list.close();
    if (files.temporary !== undefined) rmSync(files.temporary, { recursive: true, force: true });
  }
}

async function sendRows(
  run: EachRun,
  reported: Reported,
  files: Files,
  list: RowList,
  parallel: number,
  io: Io,
): Promise<number> {
  const { rows, flags } = run;
  const isRead = rows.method.effect === 'read';
  let progress: RowProgress | undefined;
  const warn = (message: string): void => {
    if (reported.isQuiet) return;
    progress?.end();
    io.note(`${replaceInvisible(message)}\n`);
  };
  const job = isRead ? undefined : await openJob(reported, list, files, warn);
  try {
    for (const text of flags.decide ?? []) await decide(text, job);
    const version = versionOf(rows);
    const plan = await readPlan(rows, io, list, job);
    if (job) await run.consent(reported.connection, setOf(rows, plan));
    // A person has agreed to the rows that were read.
    if (versionOf(rows) !== version)
      throw new UsageError(
        `${rows.source.name} was changed after it was read. Run the command again. Nothing was sent.`,
      );
    const report = new Report(reported, list.columns, io);
    progress = new RowProgress(reported.isQuiet ? { ...io, note() {} } : io, plan.rows);
    const stop = (): void => {
      progress?.end();
      io.note('Stopping after the requests in flight …\n');
    };
    if (io.signal.aborted) stop();
    io.signal.addEventListener('abort', stop, { once: true });
    try {
      const isDecided = flags.decide !== undefined;
      if (job) await work(job, plan, list, report, { parallel, isDecided, progress, io });
      else await readForEach(reported, list, report, { parallel, progress, io });
    } catch (error) {
      // What is known is reported, as on a full disk.
      if (!io.signal.aborted) report.failure ??= error;
    } finally {
      io.signal.removeEventListener('abort', stop);
      progress.end();
    }
    const { done, before, rejected, unknown } = report.counts;
    report.counts.left = plan.rows - done - before - rejected - unknown;
    return await report.end();
  } finally {
    await job?.close();
  }
}

/** Jobs are loaded on demand, because only these calls need them. */
async function openJob(
  { rows, connection }: Reported,
  list: RowList,
  { folder, file }: Files,
  warn: (message: string) => void,
): Promise<RowJob> {
  const { RowJob } = await import('./row-job.ts');
  return RowJob.open(rows.method, connection, list.fixed, { folder, file, warn });
}

/** Sends the rows as a job, and reports what became of them. */
async function work(
  job: RowJob,
  plan: Plan,
  list: RowList,
  report: Report,
  { parallel, isDecided, progress, io }: { parallel: number; isDecided: boolean; progress: RowProgress; io: Io },
): Promise<void> {
  if ((plan.calls > 0 || isDecided) && !io.signal.aborted) {
    const planned = await job.plan(list);
    report.reason = await job.work(parallel, io.signal, ({ rows, lookups }) => {
      if (io.signal.aborted) return;
      const rejected = plan.problems + rows.rejected - planned.rows.rejected;
      progress.show(plan.rows - rows.planned - rows.sent, rejected, lookups?.rows);
    });
    if (report.reason !== undefined) report.failure = job.failure;
  }
  progress.end();
  for (const page of list.pages()) {
    const found = await job.rows(page);
    for (const row of page) {
      const known = found.get(row.key);
      const { state, reason = '', code } = known ?? {};
      const id = resultOf(known);
      if (row.problem !== undefined) report.reject(row, row.problem);
      else if (id !== undefined) await report.done(row, { id });
      else if (state === 'rejected') report.reject(row, code === undefined ? reason : `${reason} [${code}]`);
      else if (state === 'unknown') report.leaveUnknown(row, reason);
    }
  }
  report.counts.before = plan.before;
  report.counts.done -= plan.before;
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
  const list = await RowList.open(run.rows.fixed);
  const plan = await readPlan(run.rows, io, list).finally(() => list.close());
  if (plan.first) await io.write(await run.describe(withMarker(run.rows.method, plan.first, '<a random ID>')));
  io.note(
    `Dry run: ${count(plan.calls, 'request')} for ${count(plan.rows, 'row')}, the first is above. Nothing was sent.\n`,
  );
  return plan.problems > 0 ? exitCodes.incomplete : exitCodes.done;
}

/**
 * Reads the whole file, so that a mistake in its last line is found before the first request.
 *
 * @param list - receives the rows
 * @param job - the job of an earlier run, which knows what is done
 */
async function readPlan(options: RowOptions, io: Io, list: RowList, job?: RowJob): Promise<Plan> {
  const { method } = options;
  const plan: Plan = {
    ...{ rows: 0, before: 0, problems: 0, calls: 0, concerned: 0 },
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
  for (const page of list.pages()) {
    const known = await job?.rows(page);
    for (const { key, params, problem } of page) {
      // The key of a row with a problem can be that of another one.
      if (problem !== undefined) continue;
      const row = known?.get(key);
      if (resultOf(row) !== undefined) plan.before += 1;
      else if (row?.state !== 'unknown') addCall(plan, method, params);
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

async function decide(text: string, job: RowJob | undefined): Promise<void> {
  const [, key = '', state = ''] = /^(.+)=(done|not-done)$/s.exec(text) ?? [];
  if (key === '') throw new UsageError(`--decide takes <key>=done or <key>=not-done, not '${text}'.`);
  await job?.decide(key, state === 'done').catch((cause: unknown) => {
    throw new UsageError(`--decide: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  });
}

interface Files {
  /** Folder of the job. */
  folder: string;
  /** Names the file in a folder of several ones. */
  file: string;
  rejected: string;
  unknown: string;
  /** Folder to remove at the end. */
  temporary?: string;
}

function readFiles({ flags, rows }: EachRun, { isSandbox }: Connection): Files {
  const { each = '', rejected, data } = flags;
  const isInput = each === '-';
  if (isInput && data === undefined && !isSandbox && rows.method.effect !== 'read')
    throw new UsageError('Rows from standard input need --data <folder>, so that a later run knows what was sent.');
  // A file of rejected rows belongs to the job of the whole file.
  const whole = each.replace(/(?:\.rejected\.(?:csv|ndjson))+$/, '');
  const name = isInput ? (data ?? 'rows') : each;
  const files = {
    rejected: rejected ?? `${name}.rejected.${rows.format}`,
    unknown: `${rejected ?? name}.unknown.${rows.format}`,
  };
  for (const file of Object.values(files)) {
    // Renaming a device such as /dev/null would take it from every other program.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
      throw new UsageError(`${file} is not a file. Name another one with --rejected. Nothing was sent.`);
  }
  if (data !== undefined && statSync(data, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new UsageError(`${data} is not a folder. Name another one with --data. Nothing was sent.`);
  const file = data === undefined || isInput ? '' : relative(data, whole);
  // The embedded sandbox, with all its changes, ends with the command.
  const temporary = isSandbox && data === undefined ? mkdtempSync(join(tmpdir(), 'carillon-each-')) : undefined;
  const folder = data ?? temporary ?? `${whole}.jobs`;
  return { ...files, folder, file, ...(temporary !== undefined && { temporary }) };
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
