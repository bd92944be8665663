import type { Connection } from '../../catalogue/connect.ts';
import { lookWith } from '../../catalogue/look.ts';
import type { Method } from '../../catalogue/methods.ts';
import { replaceInvisible } from '../../text/invisible.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { commandLine } from '../names.ts';
import type { ListWriter } from '../output.ts';
import { isPassing } from '../passing.ts';
import { describeFailure, exitCodeOf } from '../report-error.ts';
import type { EachRow, RowOptions } from './rows.ts';
import { RowsFile } from './rows-file.ts';

/** What a report is about, and where it goes. */
export interface Reported {
  rows: RowOptions;
  connection: Connection;
  writer: ListWriter | undefined;
  rejected: string;
  unknown: string;
  /** Whether a run without problems leaves standard error empty. */
  isQuiet: boolean;
}

/** Writes what became of the rows of a file: their results, the files of those that a person has to look at, and their numbers. */
export class Report {
  readonly counts = { done: 0, before: 0, rejected: 0, unknown: 0, left: 0 };
  /** Why the run stopped before its end. */
  failure: unknown;
  /** The same, if it is no error of a call. */
  reason: string | undefined;
  readonly #given: Reported;
  readonly #io: Io;
  readonly #rejected: RowsFile;
  readonly #unknown: RowsFile;
  #hasIds = false;

  /** @param columns - names of the columns of CSV */
  constructor(given: Reported, columns: readonly string[], io: Io) {
    this.#given = given;
    this.#io = io;
    this.#rejected = new RowsFile(given.rejected, given.rows.format, columns);
    this.#unknown = new RowsFile(given.unknown, given.rows.format, columns);
  }

  get isStopped(): boolean {
    return this.failure !== undefined || this.reason !== undefined || this.#io.signal.aborted;
  }

  async done({ line, key }: EachRow, result: { reply: unknown } | { id: unknown }): Promise<void> {
    this.counts.done += 1;
    this.#hasIds ||= 'id' in result && result.id !== 'done';
    if (this.#given.writer) await this.#io.write(this.#given.writer.add([{ line, key, ...result }]));
  }

  reject(row: EachRow, reason: string): void {
    this.#rejected.add(row, replaceInvisible(reason));
    this.counts.rejected += 1;
  }

  leaveUnknown(row: EachRow, reason: string): void {
    this.#unknown.add(row, replaceInvisible(reason));
    this.counts.unknown += 1;
  }

  /** Ends the files, and says what was done and what to do. Resolves to the exit code. */
  async end(): Promise<number> {
    const { rows, writer, connection, isQuiet } = this.#given;
    const io = this.#io;
    const { done, before, rejected, unknown, left } = this.counts;
    if (writer) await io.write(writer.end());
    const kept = [this.#rejected, this.#unknown].flatMap((file) => {
      const name = file.finish();
      return name === undefined ? [] : `The earlier ${file.path} is kept as ${name}.\n`;
    });
    // The reason of the job speaks of workers.
    const isRefused = this.failure !== undefined && exitCodeOf(this.failure) === exitCodes.authentication;
    const isComplete = rejected + unknown + left === 0 && !this.isStopped;
    if (isComplete && isQuiet) return exitCodes.done;
    const parts = [
      `${count(done)} done`,
      before > 0 && `${count(before)} done before`,
      rejected > 0 && `${count(rejected)} rejected (${this.#rejected.path})`,
      unknown > 0 && `${count(unknown)} with an unknown outcome (${this.#unknown.path})`,
      left > 0 && `${count(left)} not done yet`,
    ];
    io.note(`${parts.filter(Boolean).join(', ')}.\n${kept.join('')}`);
    if (this.#hasIds && !writer && !this.isStopped && !connection.isSandbox)
      io.note('For the IDs, run it again with --output csv. No row is sent twice.\n');
    if (rejected > 0)
      io.note('next: Correct the rejected rows, and run the command again with them or with the whole file.\n');
    if (unknown > 0) io.note(decideAdvice(rows.method));
    if (this.reason !== undefined && !isRefused) io.note(`${replaceInvisible(this.reason)}\n`);
    if (this.failure !== undefined) io.note(describeFailure(this.failure, undefined, io.env));
    if (left > 0) io.note(`next: Run the same command again to continue.${this.#again()}\n`);
    if (io.signal.aborted) return exitCodes.interrupted;
    if (this.failure !== undefined) return isPassing(this.failure) ? exitCodes.incomplete : exitCodeOf(this.failure);
    return isComplete ? exitCodes.done : exitCodes.incomplete;
  }

  #again(): string {
    return this.#given.rows.method.effect === 'read' ? '' : ' No row is sent twice.';
  }
}

function decideAdvice(method: Method): string {
  const look = lookWith(method);
  const where = look ? `with ${commandLine(look.words)}` : 'at the service';
  return `next: Check ${where} whether the rows with an unknown outcome were processed, and run the command again with --decide <key>=done or --decide <key>=not-done. They are not sent again until then.\n`;
}

function count(number: number): string {
  return number.toLocaleString('en');
}
