/// <reference types="node" />
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { StatementSync } from 'node:sqlite';
import { DatabaseFileError, type FileKind, SqliteFile } from '../../shared/sqlite-file.ts';
import { JobsError } from '../jobs-error.ts';
import type { Json, RowState } from '../types.ts';
import type { Outcome } from './rows.ts';

/** An attempt to send a row. */
export interface AttemptRecord {
  readonly job: string;
  /** Seed of the job, unique across all databases. */
  readonly seed: string;
  readonly number: number;
  readonly attempt: number;
  readonly worker: number;
  /** Step that was sent. */
  readonly step: string | undefined;
  /** Time of the mark, by the clock of the database. */
  readonly sentAt: string;
  /** Results of the earlier steps. */
  readonly results: Record<string, Json> | null;
}

/** Data of an attempt that a file keeps until its job is removed. */
export interface KeptAttempt {
  readonly number: number;
  readonly attempt: number;
  readonly worker: number;
  readonly sentAt: string;
  /** State of the row after the attempt. `null` if the outcome is not known. */
  readonly state: RowState | null;
  /** Whether the database confirmed this state. */
  readonly isWritten: boolean;
}

/** A job that a file has attempts of. */
export interface KeptJob {
  /** Its number in the file. */
  readonly id: number;
  readonly seed: string;
}

/** A file of a worker that has worked on a job. */
export interface Peer {
  readonly seed: string;
  readonly file: string;
  readonly host: string;
  readonly folder: string;
}

/** A position in the log of a database, with the time of the database. */
export interface Position {
  /** Identity of the tables and their server. */
  readonly place: string;
  readonly position: string;
  readonly at: string;
}

const kind: FileKind = {
  what: 'a list of attempts of carillon-jobs',
  applicationId: 0x4361_4a62,
  version: 1,
  schema: `CREATE TABLE job (id INTEGER PRIMARY KEY, seed TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE attempt (
      job INTEGER NOT NULL, number INTEGER NOT NULL, attempt INTEGER NOT NULL, worker INTEGER NOT NULL, sent_at TEXT NOT NULL,
      state TEXT, is_written INTEGER NOT NULL, record TEXT, outcome TEXT, PRIMARY KEY (job, number)) STRICT, WITHOUT ROWID;
    CREATE INDEX unwritten ON attempt (job) WHERE state IS NOT NULL AND is_written = 0;
    CREATE TABLE other (job INTEGER NOT NULL, number INTEGER NOT NULL, outcome TEXT NOT NULL, PRIMARY KEY (job, number)) STRICT, WITHOUT ROWID;
    CREATE TABLE peer (seed TEXT NOT NULL, file TEXT NOT NULL, host TEXT NOT NULL, folder TEXT NOT NULL, PRIMARY KEY (seed, file)) STRICT;
    CREATE TABLE own (is_only INTEGER PRIMARY KEY CHECK (is_only = 1), file TEXT NOT NULL, place TEXT, position TEXT, at TEXT) STRICT`,
};

/**
 * Records the rows that a worker has sent, in a small file on its machine. It shows which marks and outcomes a database has lost
 * after it failed over or was restored, and keeps outcomes that an unreachable database cannot store. Of a row that is done, only
 * its number and its state stay. It is not synced to disk, because it does not have to survive a crash of the machine.
 */
export class AttemptsFile {
  readonly path: string;
  /** Identifies the file. */
  readonly id: string;
  readonly #file: SqliteFile;
  /** Numbers of the jobs, by seed. */
  readonly #jobs = new Map<string, number>();
  readonly #peers = new Set<string>();
  #isChanging = false;
  readonly #find: StatementSync;
  readonly #begin: StatementSync;
  readonly #end: StatementSync;
  readonly #endOther: StatementSync;
  readonly #written: StatementSync;
  readonly #otherWritten: StatementSync;
  readonly #position: StatementSync;

  private constructor(file: SqliteFile) {
    this.#file = file;
    this.path = file.path;
    chmodSync(file.path, 0o600);
    const { database } = file;
    // Removed data must not stay in free space of the file. They stay in its log for a moment, which costs half as much as a rollback
    // journal. Its end may be lost: the database has the marks, too.
    database.exec('PRAGMA secure_delete = ON; PRAGMA journal_mode = WAL');
    const own = database.prepare('SELECT file FROM own').get();
    this.id = own ? String(own.file) : randomUUID();
    if (!own) file.run(() => database.prepare('INSERT INTO own (is_only, file) VALUES (1, ?)').run(this.id));
    this.#readJobs();
    this.#find = database.prepare('SELECT attempt FROM attempt WHERE job = ? AND number = ?');
    this.#begin = database.prepare('INSERT OR REPLACE INTO attempt VALUES (?, ?, ?, ?, ?, NULL, 0, ?, NULL)');
    this.#end = database.prepare(
      'UPDATE attempt SET state = ?, outcome = ?, is_written = 0 WHERE job = ? AND number = ? AND attempt = ? AND worker = ?',
    );
    // The outcome of a lookup, or of a mark whose reply was lost. The attempt that was sent stays.
    this.#endOther = database.prepare('INSERT OR REPLACE INTO other VALUES (?, ?, ?)');
    this.#written = database.prepare(
      `UPDATE attempt SET is_written = 1, record = CASE WHEN state = 'done' THEN NULL ELSE record END,
        outcome = CASE WHEN state = 'done' THEN NULL ELSE outcome END WHERE job = ? AND number = ? AND attempt = ? AND worker = ?`,
    );
    this.#otherWritten = database.prepare('DELETE FROM other WHERE job = ? AND number = ?');
    this.#position = database.prepare('UPDATE own SET place = ?, position = ?, at = ?');
  }

  /**
   * Opens the first file of a folder that no other process is using. Creates the folder and the file if necessary.
   *
   * @param tables - identity of the tables of the jobs
   * @throws `JobsError` or `DatabaseFileError` if the folder or the file cannot be used
   */
  static async open(folder: string, tables: string): Promise<AttemptsFile> {
    try {
      // Readable only by this user, because results and reasons can have personal data.
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new JobsError(
        `The folder ${folder} for the record of requests cannot be created (${reason}). Start it elsewhere, or name another folder (CARILLON_JOBS_FOLDER).`,
        { cause },
      );
    }
    for (let number = 1; ; number += 1) {
      const path = join(folder, `${tables.slice(0, 8)}-sent-${number}.sqlite`);
      try {
        return new AttemptsFile(await SqliteFile.open(path, kind, { sync: false }));
      } catch (error) {
        if (!(error instanceof DatabaseFileError && error.isHeld) || number === 1_000) throw error;
      }
    }
  }

  /**
   * Opens the files that ended processes have left in a folder, also those of other tables: data can be restored into new tables.
   * Skips those in use.
   */
  static async *others(folder: string, own: AttemptsFile): AsyncGenerator<AttemptsFile> {
    for (const name of readdirSync(folder)) {
      const path = resolve(folder, name);
      if (!/-sent-\d+\.sqlite$/.test(name) || path === own.path) continue;
      const file = await SqliteFile.open(path, kind, { sync: false }).catch(() => undefined);
      if (file) yield new AttemptsFile(file);
    }
  }

  /** Jobs that the file has attempts of. */
  get jobs(): KeptJob[] {
    return [...this.#jobs].map(([seed, id]) => ({ id, seed }));
  }

  /** This file as others see it. */
  describe(): { file: string; host: string; folder: string } {
    return { file: this.id, host: hostname(), folder: resolve(this.path, '..') };
  }

  /** The last known position in the log of a database. */
  get position(): Position | undefined {
    const found = this.#file.read(() =>
      this.#file.database.prepare('SELECT place, position, at FROM own WHERE place IS NOT NULL').get(),
    );
    return found && { place: String(found.place), position: String(found.position), at: String(found.at) };
  }

  /** Notes the position, and empties the log of the file, so that removed data do not stay in it. */
  notePosition({ place, position, at }: Position): void {
    this.#file.run(() => this.#position.run(place, position, at));
    this.#file.emptyLog();
  }

  /** Makes changes in one transaction. */
  together<Result>(change: () => Result): Result {
    if (this.#isChanging) return change();
    this.#isChanging = true;
    try {
      return this.#file.run(change);
    } catch (error) {
      // It may have added a job, which is not in the file.
      this.#readJobs();
      throw error;
    } finally {
      this.#isChanging = false;
    }
  }

  /**
   * Writes attempts before their requests are sent.
   *
   * @returns `false`, without writing anything, if the file has a later attempt of one of the rows. The database then went back
   */
  begin(records: readonly AttemptRecord[], position: Position): boolean {
    return this.together(() => {
      const isLater = ({ seed, number, attempt }: AttemptRecord): boolean => {
        const known = this.#find.get(this.#idOf(seed), number);
        return known !== undefined && Number(known.attempt) >= attempt;
      };
      if (records.some(isLater)) return false;
      for (const record of records) {
        const { seed, number, attempt, worker, sentAt } = record;
        this.#begin.run(this.#idOf(seed), number, attempt, worker, sentAt, JSON.stringify(record));
      }
      this.#position.run(position.place, position.position, position.at);
      return true;
    });
  }

  /** Writes outcomes before they are written to the database. */
  end(outcomes: readonly Outcome[]): void {
    this.together(() => {
      for (const outcome of outcomes) {
        const { seed, number, attempt, worker, state } = outcome;
        const job = this.#idOf(seed);
        const text = JSON.stringify(outcome);
        const { changes } = this.#end.run(state, text, job, number, attempt, worker);
        if (Number(changes) === 0) this.#endOther.run(job, number, text);
      }
    });
  }

  /**
   * Marks outcomes as written to the database.
   *
   * @param settled - the outcomes that the database has instead. One that it refused has become another
   * @param counted - those that count: the others were too late, because another worker has taken their rows over
   */
  markWritten(outcomes: readonly Outcome[], settled: readonly Outcome[], counted: readonly Outcome[]): void {
    const known = new Set(outcomes);
    const replaced = settled.filter((outcome) => !known.has(outcome));
    if (replaced.length > 0) this.end(replaced);
    const counting = new Set(counted);
    this.together(() => {
      for (const outcome of settled) {
        const { seed, number, attempt, worker } = outcome;
        const job = this.#idOf(seed);
        const isOwn = counting.has(outcome) && Number(this.#written.run(job, number, attempt, worker).changes) > 0;
        if (!isOwn) this.#otherWritten.run(job, number);
      }
    });
  }

  /** Reads outcomes that the database has not confirmed. */
  readUnwritten(job: KeptJob): Outcome[] {
    return this.#file.read(() =>
      this.#file.database
        .prepare(
          `SELECT outcome FROM attempt WHERE job = ?1 AND state IS NOT NULL AND is_written = 0 UNION ALL SELECT outcome FROM other WHERE job = ?1`,
        )
        .all(job.id)
        .map(({ outcome }) => JSON.parse(String(outcome))),
    );
  }

  /**
   * Reads attempts of a job in the order of their rows.
   *
   * @param after - number of the last row that was read
   */
  readKept(job: KeptJob, after: number, limit: number): KeptAttempt[] {
    return this.#file.read(() =>
      this.#file.database
        .prepare(
          `SELECT number, attempt, worker, sent_at, state, is_written FROM attempt WHERE job = ? AND number > ? ORDER BY number LIMIT ?`,
        )
        .all(job.id, after, limit)
        .map(({ number, attempt, worker, sent_at, state, is_written }) => ({
          number: Number(number),
          attempt: Number(attempt),
          worker: Number(worker),
          sentAt: String(sent_at),
          state: isRowState(state) ? state : null,
          isWritten: Number(is_written) === 1,
        })),
    );
  }

  /** Reads the record and the outcome of an attempt. Both are absent if its row is done. */
  readDetails(job: KeptJob, number: number): { record?: AttemptRecord; outcome?: Outcome } {
    const found = this.#file.read(() =>
      this.#file.database
        .prepare('SELECT record, outcome FROM attempt WHERE job = ? AND number = ?')
        .get(job.id, number),
    );
    const { record, outcome } = found ?? {};
    return {
      ...(typeof record === 'string' && { record: JSON.parse(record) }),
      ...(typeof outcome === 'string' && { outcome: JSON.parse(outcome) }),
    };
  }

  /** Notes the files of other workers, so that a database that has lost them learns of them again. */
  addPeers(peers: readonly Peer[]): void {
    const added = peers.filter(({ seed, file }) => !this.#peers.has(`${seed} ${file}`));
    if (added.length === 0) return;
    this.#file.run(() => {
      const insert = this.#file.database.prepare('INSERT OR IGNORE INTO peer VALUES (?, ?, ?, ?)');
      for (const { seed, file, host, folder } of added) insert.run(seed, file, host, folder);
    });
    for (const { seed, file } of added) this.#peers.add(`${seed} ${file}`);
  }

  get peers(): Peer[] {
    return this.#file.read(() =>
      this.#file.database
        .prepare('SELECT seed, file, host, folder FROM peer')
        .all()
        .map(({ seed, file, host, folder }) => ({
          seed: String(seed),
          file: String(file),
          host: String(host),
          folder: String(folder),
        })),
    );
  }

  /**
   * Reads attempts of which the file has more than their outcome, in the order of their rows.
   *
   * @param after - number of the last row that was read
   */
  readDetailed(job: KeptJob, after: number, limit: number): { number: number; attempt: number }[] {
    return this.#file.read(() =>
      this.#file.database
        .prepare(
          `SELECT number, attempt FROM attempt WHERE job = ? AND number > ? AND (record IS NOT NULL OR outcome IS NOT NULL)
          ORDER BY number LIMIT ?`,
        )
        .all(job.id, after, limit)
        .map(({ number, attempt }) => ({ number: Number(number), attempt: Number(attempt) })),
    );
  }

  /** Removes results and reasons of rows. Their attempts and states stay, as proof of what was sent. */
  forgetRows(job: KeptJob, numbers: readonly number[]): void {
    if (numbers.length === 0) return;
    this.#file.run(() => {
      const { database } = this.#file;
      const forget = database.prepare(
        'UPDATE attempt SET record = NULL, outcome = NULL, is_written = CASE WHEN state IS NULL THEN is_written ELSE 1 END WHERE job = ? AND number = ?',
      );
      const forgetOther = database.prepare('DELETE FROM other WHERE job = ? AND number = ?');
      for (const number of numbers) {
        forget.run(job.id, number);
        forgetOther.run(job.id, number);
      }
    });
    this.#file.emptyLog();
  }

  /** Removes what the file has of jobs that were removed. */
  forgetJobs(seeds: readonly string[]): void {
    this.#file.run(() => {
      for (const seed of seeds) {
        const job = this.#jobs.get(seed);
        if (job === undefined) continue;
        for (const table of ['attempt', 'other'])
          this.#file.database.prepare(`DELETE FROM ${table} WHERE job = ?`).run(job);
        this.#file.database.prepare('DELETE FROM job WHERE id = ?').run(job);
        this.#file.database.prepare('DELETE FROM peer WHERE seed = ?').run(seed);
      }
    });
    this.#file.emptyLog();
    for (const seed of seeds) this.#jobs.delete(seed);
  }

  close(): void {
    this.#file.close();
  }

  #readJobs(): void {
    this.#jobs.clear();
    const found = this.#file.read(() => this.#file.database.prepare('SELECT id, seed FROM job').all());
    for (const { id, seed } of found) this.#jobs.set(String(seed), Number(id));
  }

  #idOf(seed: string): number {
    const known = this.#jobs.get(seed);
    if (known !== undefined) return known;
    const { database } = this.#file;
    database.prepare('INSERT OR IGNORE INTO job (seed) VALUES (?)').run(seed);
    const id = Number(database.prepare('SELECT id FROM job WHERE seed = ?').get(seed)?.id);
    this.#jobs.set(seed, id);
    return id;
  }
}

const rowStates: readonly unknown[] = ['planned', 'sent', 'done', 'refused', 'unknown'] satisfies RowState[];

function isRowState(state: unknown): state is RowState {
  return rowStates.includes(state);
}
