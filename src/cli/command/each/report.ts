import type { Connection } from '../../catalogue/connect.ts';
import { lookupMethod } from '../../catalogue/lookup-method.ts';
import { replaceInvisible } from '../../text/invisible.ts';
import { describeFailure, exitCodeOf } from '../describe-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { isRetryable } from '../is-retryable.ts';
import { commandLine } from '../names.ts';
import type { ListWriter } from '../output.ts';
import type { RowProgress } from './progress.ts';
import type { RowList } from './row-list.ts';
import type { EachRow, RowOptions } from './rows.ts';
import { writeProblemRows } from './write-problem-rows.ts';

/** A run that calls a method for the rows of a file. */
export interface Run {
  readonly rows: RowOptions;
  readonly connection: Connection;
  readonly list: RowList;
  readonly writer: ListWriter | undefined;
  /** Files for rejected rows, and for rows with an unknown outcome. */
  readonly files: { readonly rejected: string; readonly unknown: string };
  readonly progress: RowProgress;
  readonly io: Io;
  /** Number of concurrent requests. */
  readonly parallel: number;
  /** Whether a run without problems leaves standard error empty. */
  readonly isQuiet: boolean;
  /** Why the run stopped early: an error, or a sentence in `reason`. */
  failure?: unknown;
  reason?: string | undefined;
  /** Whether results contain IDs. */
  hasIds?: boolean;
}

/** Writes the result of a row, if the run writes results. */
export async function writeResult({ writer, io }: Run, { line, key }: EachRow, result: object): Promise<void> {
  if (writer) await io.write(writer.add([{ line, key, ...result }]));
}

/** Writes the files of a run, and reports the outcome and the next steps. Resolves to the exit code. */
export async function report(run: Run): Promise<number> {
  const { io, list, writer, files, rows, connection } = run;
  const { done, before, rejected, unknown, open } = list.counts();
  const kept: string[] = [];
  try {
    if (writer) await io.write(writer.end());
    for (const state of ['rejected', 'unknown'] as const) {
      const { value: first } = list.rows(state).next();
      const name = first && writeProblemRows(files[state], rows.format, list.columns, list.rows(state));
      if (name !== undefined) kept.push(`The earlier file ${files[state]} was renamed to ${name}.\n`);
    }
  } catch (error) {
    run.failure ??= error;
  }
  const isStopped = run.failure !== undefined || run.reason !== undefined || io.signal.aborted;
  const isComplete = rejected + unknown + open === 0 && !isStopped;
  if (isComplete && run.isQuiet) return exitCodes.done;
  const parts = [
    `${count(done)} done`,
    before > 0 && `${count(before)} done in earlier runs`,
    rejected > 0 && `${count(rejected)} rejected (${files.rejected})`,
    unknown > 0 && `${count(unknown)} with an unknown outcome (${files.unknown})`,
    open > 0 && `${count(open)} not done yet`,
  ];
  io.note(`${parts.filter(Boolean).join(', ')}.\n${kept.join('')}`);
  if (run.hasIds && !writer && !isStopped && !connection.isSandbox)
    io.note('To get the IDs, run the command again with --output csv. No row is sent twice.\n');
  if (rejected > 0)
    io.note('next: Correct the rejected rows, and run the command again with these rows or with the whole file.\n');
  if (unknown > 0) io.note(decideAdvice(rows));
  const code = run.failure === undefined || isRetryable(run.failure) ? exitCodes.incomplete : exitCodeOf(run.failure);
  // After a rejected key, the job's reason mentions workers, which users of this command do not know.
  if (run.reason !== undefined && code !== exitCodes.authentication) io.note(`${replaceInvisible(run.reason)}\n`);
  if (run.failure !== undefined) io.note(describeFailure(run.failure, undefined, io.env));
  const again = rows.method.effect === 'read' ? '' : ' No row is sent twice.';
  if (open > 0) io.note(`next: Run the same command again to continue.${again}\n`);
  if (io.signal.aborted) return exitCodes.interrupted;
  return isComplete ? exitCodes.done : code;
}

function decideAdvice({ method }: RowOptions): string {
  const look = lookupMethod(method);
  const where = look ? `with ${commandLine(look.words)}` : 'in the service';
  return `next: Check ${where} whether the rows with an unknown outcome were processed, and run the command again with --decide <key>=done or --decide <key>=not-done. Until then, these rows are not sent again.\n`;
}

function count(number: number): string {
  return number.toLocaleString('en');
}
