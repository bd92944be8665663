/// <reference types="node" />
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StatementSync } from 'node:sqlite';
import { DatabaseFileError, type FileKind, SqliteFile } from '../../shared/sqlite-file.ts';
import { JobsError } from '../jobs-error.ts';
import type { Json } from '../types.ts';
import type { Outcome } from './rows.ts';

/** Minutes for which an attempt is kept. Longer than the lag of a replica that is suitable for a failover. */
const keptMinutes = 10;

/** An attempt to send a row, with its outcome when it is known. */
export interface AttemptRecord {
  readonly job: string;
  /** Seed of the job, unique across all databases. */
  readonly seed: string;
  readonly number: number;
  readonly attempt: number;
  readonly worker: number;
  /** Step that was sent. */
  readonly step: string | undefined;
  /** Time of the mark, by the clock of this machine. */
  readonly sentAt: string;
  /** Results of the earlier steps. */
  readonly results: Record<string, Json> | null;
  /** The outcome, if it is known. */
  readonly outcome: Outcome | undefined;
}

const kind: FileKind = {
  what: 'a list of attempts of carillon-jobs',
  applicationId: 0x4361_4a61,
  version: 1,
  schema: `CREATE TABLE attempt (
      job TEXT NOT NULL, number INTEGER NOT NULL, attempt INTEGER NOT NULL, worker INTEGER NOT NULL, sent_at INTEGER NOT NULL, record TEXT NOT NULL,
      outcome TEXT, is_written INTEGER NOT NULL, PRIMARY KEY (job, number)) STRICT, WITHOUT ROWID;
    CREATE TABLE session (is_only INTEGER PRIMARY KEY CHECK (is_only = 1), server TEXT NOT NULL, worker INTEGER NOT NULL) STRICT;`,
};

/**
 * Records the rows that a worker has sent in the last ten minutes, in a small file on its machine. It preserves marks that a
 * database failover may lose, and outcomes that an unreachable database cannot store. It is not synced to disk, because it does
 * not have to survive a crash of the machine.
 */
export class AttemptsFile {
  readonly path: string;
  readonly #file: SqliteFile;
  readonly #begin: StatementSync;
  readonly #end: StatementSync;
  readonly #written: StatementSync;
  readonly #prune: StatementSync;

  private constructor(file: SqliteFile) {
    this.#file = file;
    this.path = file.path;
    const { database } = file;
    this.#begin = database.prepare('INSERT OR REPLACE INTO attempt VALUES (?, ?, ?, ?, ?, ?, NULL, 0)');
    // If the reply to a mark was lost, there is no attempt yet. The outcome is then that the request was not sent.
    this.#end = database.prepare(
      `INSERT INTO attempt VALUES (?, ?, ?, ?, ?, ?, ?, 0) ON CONFLICT (job, number) DO UPDATE SET outcome = excluded.outcome,
        record = CASE WHEN attempt = excluded.attempt THEN record ELSE excluded.record END, attempt = excluded.attempt, worker = excluded.worker`,
    );
    this.#written = database.prepare('UPDATE attempt SET is_written = 1 WHERE job = ? AND number = ? AND attempt = ?');
    this.#prune = database.prepare('DELETE FROM attempt WHERE sent_at < ? AND (outcome IS NULL OR is_written = 1)');
  }

  /**
   * Opens the first file of a folder that no other process is using. Creates the folder and the file if necessary.
   *
   * @param tables - identity of the tables of the jobs
   * @throws `JobsError` or `DatabaseFileError` if the folder or the file cannot be used
   */
  static async open(folder: string, tables: string): Promise<AttemptsFile> {
    try {
      mkdirSync(folder, { recursive: true });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new JobsError(
        `The folder ${folder} for the record of requests cannot be created (${reason}). Start it elsewhere, or name another folder (CARILLON_JOBS_FOLDER).`,
        { cause },
      );
    }
    for (let number = 1; ; number += 1) {
      const path = join(folder, `${prefixOf(tables)}${number}.sqlite`);
      try {
        return new AttemptsFile(await SqliteFile.open(path, kind, { sync: false }));
      } catch (error) {
        if (!(error instanceof DatabaseFileError && error.isHeld) || number === 1_000) throw error;
      }
    }
  }

  /** Opens the files that ended processes have left in a folder. Skips those in use. */
  static async *others(folder: string, tables: string, own: AttemptsFile): AsyncGenerator<AttemptsFile> {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (!name.startsWith(prefixOf(tables)) || !name.endsWith('.sqlite') || path === own.path) continue;
      const file = await SqliteFile.open(path, kind, { sync: false }).catch(() => undefined);
      if (file) yield new AttemptsFile(file);
    }
  }

  /** The session that wrote last: its worker, and the server to which it committed. */
  get session(): { server: string; worker: number } | undefined {
    const found = this.#file.read(() => this.#file.database.prepare('SELECT server, worker FROM session').get());
    return found && { server: String(found.server), worker: Number(found.worker) };
  }

  set session({ server, worker }: { server: string; worker: number }) {
    this.#file.run(() =>
      this.#file.database.prepare('INSERT OR REPLACE INTO session VALUES (1, ?, ?)').run(server, worker),
    );
  }

  /** Writes attempts before their requests are sent. */
  begin(records: readonly Omit<AttemptRecord, 'outcome'>[]): void {
    const now = Date.now();
    this.#file.run(() => {
      for (const record of records) {
        const { job, number, attempt, worker } = record;
        this.#begin.run(job, number, attempt, worker, now, JSON.stringify(record));
      }
    });
  }

  /** Writes outcomes before they are written to the database. */
  end(outcomes: readonly Outcome[]): void {
    const now = Date.now();
    this.#file.run(() => {
      for (const outcome of outcomes) {
        const { job, seed, number, attempt, worker, step, results } = outcome;
        const record = { job, seed, number, attempt, worker, step, results, sentAt: new Date(now).toISOString() };
        this.#end.run(job, number, attempt, worker, now, JSON.stringify(record), JSON.stringify(outcome));
      }
    });
  }

  /** Marks outcomes as written to the database. */
  markWritten(attempts: readonly Pick<AttemptRecord, 'job' | 'number' | 'attempt'>[]): void {
    this.#file.run(() => {
      for (const { job, number, attempt } of attempts) this.#written.run(job, number, attempt);
    });
  }

  /** Reads the attempts whose outcomes are missing in the database, or all attempts. */
  read(which: 'unwritten' | 'all'): AttemptRecord[] {
    return this.#file.read(() =>
      this.#file.database
        .prepare(`SELECT record, outcome FROM attempt WHERE ? OR outcome IS NOT NULL AND is_written = 0`)
        .all(which === 'all' ? 1 : 0)
        .map(({ record, outcome }) => ({
          ...JSON.parse(String(record)),
          outcome: outcome === null ? undefined : JSON.parse(String(outcome)),
        })),
    );
  }

  /** Removes attempts older than ten minutes, unless only this file has their outcome. */
  prune(): void {
    this.#file.run(() => this.#prune.run(Date.now() - keptMinutes * 60_000));
  }

  close(): void {
    this.#file.close();
  }
}

/** Prefix of the file names, different for each database. */
function prefixOf(tables: string): string {
  return `${tables.slice(0, 8)}-worker-`;
}
