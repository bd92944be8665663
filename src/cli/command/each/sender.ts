import { isCarillonError } from 'carillon';
import { concernsRow, LookupUnclearError, OutcomeUnknownError } from 'carillon/journal';
import { isRecord } from '../../../shared/is-record.ts';
import { callMethod } from '../../catalogue/call.ts';
import type { Params } from '../../catalogue/check-params.ts';
import type { Connection } from '../../catalogue/connect.ts';
import { hideSecretFields } from '../../catalogue/secret-fields.ts';
import { replaceInvisible } from '../../text/invisible.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import type { ListWriter } from '../output.ts';
import { isPassing } from '../passing.ts';
import { describeFailure, exitCodeOf } from '../report-error.ts';
import { lookUp, lookupKind, withMarker } from './look-up.ts';
import { RowProgress } from './progress.ts';
import type { RowJournal } from './row-journal.ts';
import { type EachRow, type RowOptions, readEach } from './rows.ts';
import { RowsFile } from './rows-file.ts';
import { SeenKeys } from './seen-keys.ts';

/** Consecutive failures of the service after which the run stops, because the service seems to be down. */
const maxInARow = 5;
/** Maximum number of rows to look up at the end of a run. Further rows wait for the next run. */
const maxWaiting = 1_000;
/** Source and destinations of a run. */
export interface Sending {
  rows: RowOptions;
  /** Number of rows, if known. */
  total: number | undefined;
  connection: Connection;
  /** Absent for methods that read. */
  journal: RowJournal | undefined;
  writer: ListWriter | undefined;
  rejected: string;
  unknown: string;
  /** Whether a run without problems leaves standard error empty. */
  isQuiet: boolean;
}

/** The state of a row at the end of a run. */
type Outcome = 'done' | 'before' | 'rejected' | 'unknown' | 'left';

/** Sends the rows of a file. */
export class Sender {
  readonly #given: Sending;
  readonly #io: Io;
  readonly #rejected: RowsFile;
  readonly #unknown: RowsFile;
  readonly #progress: RowProgress;
  readonly #counts: Record<Outcome, number> = { done: 0, before: 0, rejected: 0, unknown: 0, left: 0 };
  /** Rows to retry at the end, when the service may have recovered. */
  #waiting: EachRow[] = [];
  #inARow = 0;
  #hasIds = false;
  #failure: unknown;
  #isStopped = false;

  constructor(given: Sending, io: Io) {
    this.#given = given;
    this.#io = io;
    this.#rejected = new RowsFile(given.rejected, given.rows.format);
    this.#unknown = new RowsFile(given.unknown, given.rows.format);
    this.#progress = new RowProgress(given.isQuiet ? { ...io, note() {} } : io, given.total);
  }

  /**
   * Sends all rows, and reports the result.
   *
   * @param parallel - requests at a time
   * @returns the exit code
   */
  async send(parallel: number): Promise<number> {
    const stop = (): void => {
      this.#isStopped = true;
      this.#progress.end();
      this.#io.note('Stopping after the requests in flight …\n');
    };
    if (this.#io.signal.aborted) stop();
    this.#io.signal.addEventListener('abort', stop, { once: true });
    try {
      await this.#sendRows(parallel);
      await this.#tryAgain();
    } catch (error) {
      // A damaged line stops the run. The rows rejected before it are kept.
      this.#failure ??= this.#io.signal.aborted ? undefined : error;
      this.#isStopped = true;
    } finally {
      this.#io.signal.removeEventListener('abort', stop);
      this.#progress.end();
    }
    if (this.#given.writer) await this.#io.write(this.#given.writer.end());
    return this.#finish();
  }

  async #sendRows(parallel: number): Promise<void> {
    const seen = await SeenKeys.open();
    const rows = readEach(this.#given.rows, seen, (names) => {
      this.#rejected.columns = names;
      this.#unknown.columns = names;
    });
    const work = async (): Promise<void> => {
      while (!this.#isStopped) {
        const { done, value } = await rows.next();
        if (done) return;
        await this.#take(value);
      }
    };
    try {
      const ended = await Promise.allSettled(Array.from({ length: parallel }, work));
      const failed = ended.find((one) => one.status === 'rejected');
      if (failed) throw failed.reason;
    } finally {
      await rows.return(undefined);
      seen.close();
    }
  }

  async #tryAgain(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const [at, row] of waiting.entries()) {
      if (this.#isStopped) this.#counts.left += waiting.length - at;
      if (this.#isStopped) return;
      await this.#take(row, true);
    }
  }

  async #take(row: EachRow, isLast = false): Promise<void> {
    try {
      await this.#do(row);
      this.#inARow = 0;
    } catch (error) {
      this.#judge(row, error, isLast);
    }
    const { rejected, ...others } = this.#counts;
    const ended = Object.values(others).reduce((sum, one) => sum + one, rejected + this.#waiting.length);
    if (!this.#isStopped) this.#progress.show(ended, rejected);
  }

  async #do(row: EachRow): Promise<void> {
    const { key, params, problem } = row;
    if (problem !== undefined) return this.#reject(row, problem);
    const isBefore = this.#given.journal?.isDone(key) === true;
    // The journal returns the ID of a row that is done without sending it.
    if (isBefore && !this.#given.writer) {
      this.#counts.before += 1;
      return;
    }
    const { reply, id } = await (this.#given.journal
      ? this.#sendOnce(this.#given.journal, key, params)
      : this.#call(params));
    this.#counts[isBefore ? 'before' : 'done'] += 1;
    this.#hasIds ||= id !== 'done';
    if (!this.#given.writer) return;
    const result = this.#given.journal
      ? { line: row.line, key, id }
      : { line: row.line, key, reply: hideSecretFields(reply) };
    await this.#io.write(this.#given.writer.add([result]));
  }

  async #sendOnce(journal: RowJournal, key: string, params: Params): Promise<{ reply?: unknown; id: number | string }> {
    const { method } = this.#given.rows;
    const kind = lookupKind(method);
    let isRepeat = false;
    const id = await journal.once(
      key,
      withoutBytes(params),
      async (marker) => {
        const sending = this.#call(withMarker(method, params, marker));
        // The first try may have deleted the record.
        const isGone = (error: unknown): boolean =>
          isRepeat && method.method === 'DELETE' && isCarillonError(error, 'NotFoundError');
        return (await sending.catch((error: unknown) => (isGone(error) ? { id: 'done' } : Promise.reject(error)))).id;
      },
      async (sent, marker) => {
        if (kind === 'marker') return lookUp(this.#given.connection.client, method, sent, marker);
        if (kind === 'person')
          throw new LookupUnclearError('its reply was lost, and no search shows whether it was processed');
        isRepeat = true;
        return undefined;
      },
    );
    return { id };
  }

  async #call(params: Params): Promise<{ reply: unknown; id: number | string }> {
    const reply = await callMethod(this.#given.connection.client, this.#given.rows.method.name, params);
    const id = isRecord(reply) ? reply.id : undefined;
    return { reply, id: typeof id === 'number' || (typeof id === 'string' && id !== '') ? id : 'done' };
  }

  #judge(row: EachRow, error: unknown, isLast: boolean): void {
    if (error instanceof LookupUnclearError) {
      this.#inARow = 0;
      this.#leaveUnknown(row, error.message);
    } else if (error instanceof OutcomeUnknownError || isPassing(error)) this.#meetFailure(row, error, isLast);
    else if (concernsRow(error)) this.#reject(row, messageOf(error));
    else {
      // Every row would fail with this error.
      this.#counts.left += 1;
      this.#stopWith(error);
    }
  }

  /** Handles a failure of the service, which may answer later. */
  #meetFailure(row: EachRow, error: unknown, isLast: boolean): void {
    this.#inARow += 1;
    if (this.#inARow >= maxInARow) this.#stopWith(error);
    const needsPerson = error instanceof OutcomeUnknownError && lookupKind(this.#given.rows.method) === 'person';
    if (needsPerson) this.#leaveUnknown(row, messageOf(error));
    else if (!isLast && !this.#isStopped && this.#waiting.length < maxWaiting) this.#waiting.push(row);
    else this.#counts.left += 1;
  }

  #stopWith(error: unknown): void {
    this.#failure ??= error;
    this.#isStopped = true;
  }

  #reject(row: EachRow, reason: string): void {
    this.#inARow = 0;
    this.#rejected.add(row, reason);
    this.#counts.rejected += 1;
  }

  #leaveUnknown(row: EachRow, reason: string): void {
    this.#unknown.add(row, reason);
    this.#counts.unknown += 1;
  }

  #finish(): number {
    const { done, before, rejected, unknown } = this.#counts;
    const ended = done + before + rejected + unknown;
    // Rows that were not read count as not done.
    const left = Math.max(this.#counts.left + this.#waiting.length, (this.#given.total ?? 0) - ended);
    const isComplete = rejected + unknown + left === 0 && !this.#isStopped;
    const notes: string[] = [];
    for (const file of [this.#rejected, this.#unknown]) {
      const kept = file.finish();
      if (kept !== undefined) notes.push(`The earlier ${file.path} is kept as ${kept}.`);
    }
    const parts = [
      `${done.toLocaleString('en')} done`,
      before > 0 && `${before.toLocaleString('en')} done before`,
      rejected > 0 && `${rejected.toLocaleString('en')} rejected (${this.#rejected.path})`,
      unknown > 0 && `${unknown.toLocaleString('en')} with an unknown outcome (${this.#unknown.path})`,
      left > 0 && `${left.toLocaleString('en')} not done yet`,
    ];
    if (isComplete && this.#given.isQuiet) return exitCodes.done;
    this.#io.note(`${parts.filter(Boolean).join(', ')}.\n${notes.map((note) => `${note}\n`).join('')}`);
    if (this.#hasIds && !this.#given.writer && !this.#isStopped && !this.#given.connection.isSandbox)
      this.#io.note('For the IDs, run it again with --output csv. No row is sent twice.\n');
    if (rejected > 0)
      this.#io.note(`next: Correct the rejected rows, and run the command again with them or with the whole file.\n`);
    if (unknown > 0) this.#io.note(this.#decideAdvice());
    if (this.#failure !== undefined) {
      this.#io.note(describeFailure(this.#failure, undefined, this.#io.env));
      if (this.#inARow >= maxInARow)
        this.#io.note(`${maxInARow} consecutive rows failed. The service seems to be down.\n`);
    }
    if (this.#isStopped || left > 0)
      this.#io.note('next: Run the same command again to continue. No row is sent twice.\n');
    if (this.#io.signal.aborted) return exitCodes.interrupted;
    if (this.#failure !== undefined && this.#inARow < maxInARow) return exitCodeOf(this.#failure);
    return isComplete ? exitCodes.done : exitCodes.incomplete;
  }

  #decideAdvice(): string {
    const decide = '--decide <key>=done or --decide <key>=not-done';
    return `next: Check at the service whether the rows with an unknown outcome were processed, and run the command again with ${decide}. They are not sent again until then.\n`;
  }
}

function messageOf(error: unknown): string {
  return replaceInvisible(error instanceof Error ? error.message : String(error));
}

/** Removes the contents of files, which the journal does not keep. */
function withoutBytes(params: Params): Params {
  const shorten = (value: unknown): unknown => (value instanceof Uint8Array ? `${value.length} bytes` : value);
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const inner = isRecord(value) && !(value instanceof Uint8Array) ? Object.entries(value) : undefined;
      return [name, inner ? Object.fromEntries(inner.map(([key, one]) => [key, shorten(one)])) : shorten(value)];
    }),
  );
}
