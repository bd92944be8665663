import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobRowDetails } from 'carillon-jobs';
import { readNumber, UsageError } from '../../../shared/command-line.ts';
import { messageOf } from '../../../shared/message-of.ts';
import type { Effect } from '../../../shared/reference.ts';
import type { Params } from '../../catalogue/check-names.ts';
import { Differences } from '../../catalogue/differences.ts';
import type { Method } from '../../catalogue/methods.ts';
import { concernedBy, effectOf, reasonForSet } from '../../catalogue/needs-consent.ts';
import { type Question, readSetQuestion } from '../../catalogue/question.ts';
import { replaceInvisible } from '../../text/invisible.ts';
import type { CallFlags } from '../call-options.ts';
import { connectByFlags, quietly } from '../connection.ts';
import { consent } from '../consent.ts';
import { describeRequest } from '../dry-run.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import type { FileJob } from './file-job.ts';
import { withMarker } from './marker.ts';
import { RowProgress } from './progress.ts';
import { readForEach } from './read-for-each.ts';
import { placeOf, readFiles, readOutput, readRowOptions } from './read-options.ts';
import { type Run, report, writeResult } from './report.ts';
import { RowList } from './row-list.ts';
import { countGuarded, type RowOptions, readEach } from './rows.ts';

/** Maximum number of problems that are shown before a person is asked. */
const maxShown = 5;

/** The rows of a file, counted before the first request. */
interface Plan {
  /** Number of rows to send. */
  calls: number;
  first?: Params;
  last?: Params;
  effects: Set<Effect>;
  /** Number of people or records that the calls affect. */
  concerned: number;
  differences: Differences;
}

/** Calls a method once for each row of a file. Resolves to the exit code. */
export async function runEach(method: Method, fixed: Params, flags: CallFlags, io: Io): Promise<number> {
  const rows = readRowOptions(method, fixed, flags, io);
  const list = await RowList.open(fixed);
  let folder: string | undefined;
  try {
    if (flags.dryRun) return await dryRun(rows, list, io);
    const writer = readOutput(method, flags, io);
    const parallel = readNumber(flags.parallel ?? '1', 'parallel', { whole: true, min: 1, max: 16 });
    const files = readFiles(rows, flags);
    const connection = await connectByFlags(flags, io);
    // The embedded sandbox, with all its changes, ends with the command.
    if (connection.isSandbox) folder = mkdtempSync(join(tmpdir(), 'carillon-each-'));
    const isQuiet = flags.quiet === true;
    const progress = new RowProgress(quietly(io, flags));
    const run: Run = { rows, connection, list, writer, files, progress, io, parallel, isQuiet };
    if (method.effect !== 'read') return await sendRows(run, flags, folder);
    await readPlan(run);
    return await end(run, () => readForEach(run));
  } finally {
    list.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Sends the rows as a job after a person's consent. */
async function sendRows(run: Run, flags: CallFlags, temporary: string | undefined): Promise<number> {
  const { rows, connection, list, io } = run;
  const warn = (message: string): void => {
    run.progress.end();
    quietly(io, flags).note(`${replaceInvisible(message)}\n`);
  };
  // Loaded on demand, because only these calls need jobs.
  const { openFileJob } = await import('./file-job.ts');
  const job = await openFileJob(rows.method, connection, list, { ...placeOf(flags, temporary), warn });
  try {
    for (const text of flags.decide ?? []) await decide(text, job);
    const version = versionOf(rows);
    const plan = await readPlan(run, job);
    await ask(run, plan, flags);
    // The person agreed only to the rows that were read.
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

/** Asks a person once to confirm all calls. */
async function ask({ rows, connection, io }: Run, plan: Plan, flags: CallFlags): Promise<void> {
  const { method, source } = rows;
  const { calls: count, effects, concerned, first, last } = plan;
  const differences = count < 2 ? [] : [...plan.differences.lines(), `The whole list is in ${source.name}.`];
  const shown = [first, last].filter((params) => params !== undefined).slice(0, count);
  const reason = count === 0 || flags.yes ? undefined : reasonForSet(method, { effects, count: concerned });
  const read = (why: string): Promise<Question> =>
    readSetQuestion(connection.client, { method, reason: why, count, differences }, shown, io.signal);
  await consent(method, connection, reason, read, flags, io);
}

/** Performs a run, and reports the outcomes of its rows. Ctrl+C ends the run after the requests in flight. */
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

async function work(job: FileJob, run: Run): Promise<void> {
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

/** Writes the outcomes that the job recorded for the rows. */
async function writeOutcomes(job: FileJob, run: Run): Promise<void> {
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
        list.set(row, state, code === undefined ? reason : `${reason} [${code}]`);
      }
    }
  }
}

/** Identifies the version of the file. The result differs after the file is changed or replaced. */
function versionOf({ source }: RowOptions): string {
  const { ino, size, mtimeMs } = statSync(source.name, { throwIfNoEntry: false }) ?? {};
  return [ino, size, mtimeMs].join(' ');
}

async function dryRun(rows: RowOptions, list: RowList, io: Io): Promise<number> {
  const { method } = rows;
  const plan = await readPlan({ rows, list, io });
  if (plan.first) await io.write(await describeRequest(method, withMarker(method, plan.first, '<a random ID>'), io));
  const { open, rejected } = list.counts();
  io.note(
    `Dry run: ${count(open, 'request')} for ${count(open + rejected, 'row')}. The first request is shown above. Nothing was sent.\n`,
  );
  return rejected > 0 ? exitCodes.incomplete : exitCodes.done;
}

/**
 * Reads the whole file, so that a mistake on its last line is found before the first request.
 *
 * @param job - the job of earlier runs, which records the rows that are done
 */
async function readPlan({ rows: options, list, io }: Pick<Run, 'rows' | 'list' | 'io'>, job?: FileJob): Promise<Plan> {
  const { method } = options;
  const plan: Plan = { calls: 0, concerned: 0, effects: new Set(), differences: new Differences(method) };
  let problems = 0;
  let guarded = 0;
  for await (const row of readEach(options, list)) {
    io.signal.throwIfAborted();
    guarded += countGuarded(row, options);
    list.add(row);
    if (row.problem === undefined) continue;
    problems += 1;
    if (problems <= maxShown) io.note(`line ${row.line}: ${row.problem}\n`);
  }
  for (const page of list.pages('open')) {
    const known = await job?.rows(page);
    for (const row of page) {
      const found = known?.get(row.key);
      if (resultOf(found) !== undefined) list.set(row, 'before');
      else if (found?.state !== 'unknown') addCall(plan, method, row.params);
    }
  }
  if (problems > maxShown) io.note(`… and ${count(problems - maxShown, 'further row')} that cannot be sent\n`);
  if (guarded > 0)
    io.note(
      `${count(guarded, 'cell')} ${guarded === 1 ? 'begins' : 'begin'} with an apostrophe, which --output csv puts before formulas. If --output csv wrote the file, add --exported.\n`,
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

/** Returns the result of a row that is done, or that a person declared to be done. */
function resultOf({ state, results = {} }: Partial<JobRowDetails> = {}): unknown {
  const [id] = Object.values(results);
  return id ?? (state === 'done' || id === null ? 'done' : undefined);
}

async function decide(text: string, job: FileJob): Promise<void> {
  const [, key = '', state = ''] = /^(.+)=(done|not-done)$/s.exec(text) ?? [];
  if (key === '') throw new UsageError(`--decide takes <key>=done or <key>=not-done, not '${text}'.`);
  await job.decide(key, state === 'done').catch((cause: unknown) => {
    throw new UsageError(`--decide: ${messageOf(cause)}`, { cause });
  });
}

/** Formats a number with its noun, such as `1 row` or `1,000 rows`. */
function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
