import { type Client as ApiClient, createClient, type Logger } from 'carillon';
import { DatabaseFileError } from '../../shared/sqlite-file.ts';
import { type AttemptRecord, AttemptsFile } from '../journal/attempts-file.ts';
import type { Database } from '../journal/database.ts';
import { exchangeRows } from '../journal/exchange.ts';
import { explain, isPassing } from '../store/explain.ts';
import { createLimits, type Limits } from '../journal/limits.ts';
import { forgetInFile, forgetOld } from '../journal/retention.ts';
import { confirmMark, type LogPosition, type Mark, type Marked, type Outcome } from '../journal/rows.ts';
import { Session } from '../journal/session.ts';
import { settleSafely } from '../journal/settle-safely.ts';
import type { JobsOptions, Json } from '../types.ts';
import { createHook, guardFetch } from './attempt.ts';
import { createBatcher } from './batcher.ts';
import { compareFile } from './compare-file.ts';
import { startStopwatch } from './waiting.ts';

/** Default folder of the files of attempts. */
const defaultFolder = '.carillon-jobs';

/** A row to mark, with data about its attempt. */
export interface Sending extends Mark {
  readonly seed: string;
  readonly step: string | undefined;
  readonly results: Record<string, Json>;
}

/** State of a row after its mark, with its worker and the session that marked it. */
export interface Holding extends Marked {
  readonly worker: number;
  readonly session: Session;
}

/** A row to mark, or an outcome to write. */
interface Item {
  readonly sending?: Sending;
  readonly outcome?: Outcome;
}

interface Reply {
  readonly holding?: Holding;
  readonly failure?: MarkError;
}

/** Dependencies of a station. */
export interface StationParts {
  readonly db: Database;
  readonly options: JobsOptions;
  /** Names of the worker's queues. */
  readonly queues: readonly string[];
  /** Called with closed chunks that were opened again because their rows were planned again. */
  onReopened(chunks: readonly { job: string; chunk: number }[]): Promise<void>;
  /** Called with the ID of a job that a person has changed. */
  onChange(job: string): void;
}

/** Resources shared by the rows of a worker: its session, its file of attempts, its statement batches, and its clients. */
export class Station {
  readonly db: Database;
  readonly limits: Limits;
  readonly logger: Logger;
  readonly #parts: StationParts;
  readonly #clients = new Map<number, ApiClient>();
  readonly #file: AttemptsFile;
  readonly #given = new AbortController();
  #session: Session;
  /** Jobs whose rows this session has recorded to be in the file. */
  readonly #registered = new Set<string>();
  /** Number of outcomes not yet written to the database. */
  #pending = 0;
  /** Those of them that are not yet in the file. */
  readonly #unsaved: Outcome[] = [];
  #isClosed = false;
  /** Last warning about the file. */
  #fileWarning = '';

  private constructor(parts: StationParts, session: Session, file: AttemptsFile) {
    this.#parts = parts;
    this.db = parts.db;
    this.logger = parts.options.logger ?? console;
    this.limits = createLimits(parts.db, parts.options.now);
    this.#session = session;
    this.#file = file;
  }

  /** Opens a station, and restores attempts and outcomes that ended processes could not write. */
  static async open(parts: StationParts): Promise<Station> {
    const session = await Session.open(parts.db, parts.queues, undefined, parts.onChange);
    const folder = parts.options.folder ?? defaultFolder;
    let file: AttemptsFile | undefined;
    try {
      file = await AttemptsFile.open(folder, session.tables);
      const station = new Station(parts, session, file);
      for await (const other of AttemptsFile.others(folder, file)) {
        try {
          await station.#compare(other, session);
        } finally {
          other.close();
        }
      }
      await station.#compare(file, session);
      // Before its first mark, because the database may go back to this time.
      await station.beat([]);
      void station.prune().catch(() => undefined);
      return station;
    } catch (error) {
      file?.close();
      await session.close();
      throw error;
    }
  }

  /** Number of the worker. Changes with each new session. */
  get worker(): number {
    return this.#session.worker;
  }

  get session(): Session {
    return this.#session;
  }

  /** Replaces an ended session. Rejects while the database is unreachable. */
  async reconnect(): Promise<void> {
    this.#session.end();
    const session = await Session.open(this.db, this.#parts.queues, undefined, this.#parts.onChange);
    try {
      // Before its first mark, because the database may have gone back.
      await this.#compare(this.#file, session);
    } catch (error) {
      session.end();
      throw error;
    }
    this.#registered.clear();
    this.#session = session;
    await this.beat([]);
  }

  async #compare(file: AttemptsFile, session: Session): Promise<void> {
    const { db, logger } = this;
    const { options, onReopened } = this.#parts;
    await compareFile({ db, logger, onReopened, definitions: options.definitions }, file, session);
    await forgetInFile(db, file);
  }

  /** Returns the client for a deadline. It does not retry, because each request needs a journal entry. */
  apiFor(deadline: number): ApiClient {
    const known = this.#clients.get(deadline);
    if (known) return known;
    const { client } = this.#parts.options;
    const middleware = [...(client.middleware ?? []), createHook(this.limits)];
    const api = createClient({
      ...client,
      middleware,
      fetch: guardFetch(client.fetch),
      timeout: deadline,
      maxRetries: 0,
    });
    this.#clients.set(deadline, api);
    return api;
  }

  /** Converts a wait for a reservation to the clock of this process. Short if a test controls the clock. */
  localWait(milliseconds: number): number {
    return this.#parts.options.now ? Math.min(milliseconds, 500) : milliseconds;
  }

  /** Marks a row as sent. Resolves with the worker that now holds it. */
  async mark(sending: Sending): Promise<Holding> {
    const { holding, failure } = await this.#exchange({ sending });
    if (holding) return holding;
    throw failure;
  }

  /**
   * Writes an outcome. Retries while the database is unreachable. Until then, the outcome is stored only in this process and its
   * file.
   */
  async settle(outcome: Outcome): Promise<void> {
    this.#pending += 1;
    const exchanged = this.#exchange({ outcome });
    // At once, because it is stored nowhere else while it waits for the statement of others. If none is running, after its own
    // statement has left, so that the database works meanwhile.
    if (this.#unsaved.push(outcome) === 1) setImmediate(() => this.#save());
    const { failure } = await exchanged;
    if (failure) await this.#settleAlone(outcome);
    this.#pending -= 1;
  }

  /** Writes the outcomes of this turn to the file. */
  #save(): void {
    const outcomes = this.#unsaved.splice(0);
    if (outcomes.length > 0) this.#keep(() => this.#file.end(outcomes));
  }

  /** Marks and outcomes share a commit of the session: those of one turn, and those that come while a statement is running. */
  readonly #exchange = createBatcher(async (items: readonly Item[]): Promise<Reply[]> => {
    const marks = items.flatMap(({ sending }) => sending ?? []);
    const outcomes = items.flatMap(({ outcome }) => outcome ?? []);
    const session = this.#session;
    const { worker, place } = session;
    const { now } = this.#parts.options;
    try {
      await this.#register(session, [...new Set(marks.map(({ job }) => job))]);
      const given = { worker, marks, outcomes, now: now ? new Date(now()).toISOString() : null };
      const { marked, written, reopened } = await this.#unlessGivenUp(
        session.run((client) => exchangeRows(client, this.db.schema, given)),
      );
      const records = marked.flatMap(({ attempt, at }, index): AttemptRecord[] => {
        const mark = marks[index];
        return attempt === null || !mark ? [] : [{ ...mark, attempt, worker, sentAt: at }];
      });
      const isBegun = this.#file.together(() => {
        this.#file.markWritten(outcomes, outcomes, written);
        return marks.length === 0 || this.#file.begin(records, { place, ...positionOf(marked) });
      });
      if (!isBegun) {
        // Data went back below this session, as when a dump is restored as data only. No row of the batch may be sent.
        await this.#compare(this.#file, session);
        throw new Error('The database went back to an earlier state');
      }
      await this.#parts.onReopened(reopened);
      const replies = marked.values();
      return items.map(({ sending }) => {
        if (!sending) return {};
        const { value } = replies.next();
        if (!value) throw new Error('The statement returned no result for a row');
        return { holding: { ...value, worker, session } };
      });
    } catch (cause) {
      if (cause instanceof DatabaseFileError) this.#warnOfFile(cause);
      return items.map(() => ({ failure: new MarkError(worker, cause) }));
    }
  });

  /**
   * Confirms that the worker still holds an attempt, in the session that marked it. Resolves to a function that returns the age
   * of the confirmation.
   */
  async confirm(mark: Mark, session: Session): Promise<() => number> {
    const age = startStopwatch();
    const isHeld = await session
      .run((client) => confirmMark(client, this.db.schema, mark, session.worker))
      .catch(() => false);
    return isHeld ? age : () => Number.POSITIVE_INFINITY;
  }

  /** Writes outcomes that the session could not write, until the database has them. */
  readonly #settleAlone = createBatcher(async (outcomes: readonly Outcome[]) => {
    for (let wait = 100; !this.#given.signal.aborted; wait = Math.min(wait * 2, 2_000)) {
      try {
        const { settled, reopened, written } = await this.#unlessGivenUp(settleSafely(this.db, outcomes, this.logger));
        this.#keep(() => this.#file.markWritten(outcomes, settled, written));
        await this.#parts.onReopened(reopened);
        break;
      } catch (error) {
        if (this.#given.signal.aborted) break;
        if (!isPassing(error)) throw explain(error);
        if (wait === 400) this.logger.warn(`carillon: ${explain(error).message} Outcomes are written when it is back.`);
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
    return outcomes.map(() => true as const);
  });

  /** Writes to the file. If that fails, the data is only in the database. */
  #keep(write: () => void): void {
    if (this.#isClosed) return;
    try {
      write();
    } catch (error) {
      this.#warnOfFile(error);
    }
  }

  #warnOfFile(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (this.#fileWarning !== reason) this.logger.warn(`carillon: ${reason}`);
    this.#fileWarning = reason;
  }

  /** Sends a heartbeat. Notes the position of the log, and the files of the workers that work on the same jobs. */
  async beat(chunks: readonly { job: string; chunk: number }[]): Promise<void> {
    const session = this.#session;
    const found = await session.beat(
      chunks.map(({ job, chunk }) => `${job}.${chunk}`),
      this.#file.id,
    );
    const peers = await session.peers([...new Set(chunks.map(({ job }) => job))]);
    this.#keep(() => {
      if (found) this.#file.notePosition({ ...found, place: session.place });
      this.#file.addPeers(peers);
    });
  }

  /** Removes from the file what it has of jobs and rows that were removed, and from the database what is older than its retention. */
  async prune(): Promise<void> {
    const seeds = this.#file.jobs.map(({ seed }) => seed);
    const { rows } = await this.db.pool.query<{ seed: string }>(
      `SELECT seed FROM ${this.db.schema}.removed WHERE seed = ANY ($1::uuid[])`,
      [seeds],
    );
    this.#keep(() => this.#file.forgetJobs(rows.map(({ seed }) => seed)));
    await forgetOld(this.db);
    if (!this.#isClosed) await forgetInFile(this.db, this.#file);
  }

  async #register(session: Session, jobs: readonly string[]): Promise<void> {
    const added = jobs.filter((job) => !this.#registered.has(job));
    if (added.length === 0) return;
    const peers = await session.register(added, this.#file);
    for (const job of added) this.#registered.add(job);
    this.#keep(() => this.#file.addPeers(peers));
  }

  /** Stops waiting for the database. Unwritten outcomes stay in the file, and the next start writes them. */
  giveUp(): void {
    if (this.#pending > 0) {
      this.logger.warn(
        `carillon: could not write ${this.#pending} outcomes to the database. They are in ${this.#file.path}, and the next start in this folder writes them.`,
      );
    }
    this.#given.abort();
    this.#session.end();
  }

  /** Waits for a promise, unless the station gives up. */
  async #unlessGivenUp<Result>(promise: Promise<Result>): Promise<Result> {
    const { signal } = this.#given;
    let stop = (): void => undefined;
    const given = new Promise<never>((_, reject) => {
      stop = () => reject(new Error('Connection terminated: the worker ends'));
      signal.addEventListener('abort', stop);
    });
    try {
      return await Promise.race([promise, given]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#session.close();
    this.#file.close();
  }
}

/** The last position of the log that marks show. */
function positionOf(marked: readonly LogPosition[]): LogPosition {
  return marked.at(-1) ?? { position: '0/0', at: '' };
}

/** The reply to a mark was lost. The rows may be marked, but their requests were not sent. */
export class MarkError extends Error {
  override readonly name = 'MarkError';
  readonly worker: number;

  constructor(worker: number, cause: unknown) {
    super('The rows could not be marked as sent', { cause });
    this.worker = worker;
  }
}
