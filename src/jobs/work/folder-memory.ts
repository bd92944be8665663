/// <reference types="node" />
import { join } from 'node:path';
import { type FileKind, openSharedFile, type SharedFile } from '../../shared/sqlite-file.ts';
import { createFolder } from '../store/create-folder.ts';
import { retryWhileBusy } from '../store/sqlite.ts';
import type { StoredJob } from '../store/tables.ts';

/** A job that a folder remembers until the job is removed. */
export interface RememberedJob
  extends Pick<StoredJob, 'seed' | 'name' | 'definition' | 'checksum' | 'place' | 'marks'> {
  /** Location of the store, for messages. */
  readonly location: string;
}

const kind: FileKind = {
  what: 'a carillon-jobs memory file',
  applicationId: 0x4361_4a6d,
  version: 1,
  schema: `CREATE TABLE jobs (
      seed TEXT PRIMARY KEY, name TEXT NOT NULL, definition TEXT NOT NULL, checksum TEXT NOT NULL, place TEXT NOT NULL, location TEXT NOT NULL,
      marks REAL NOT NULL DEFAULT 0) STRICT`,
};

/** Milliseconds for which a change may block this thread while another process writes. */
const blocking = 50;

/**
 * Stores what this machine knows about its jobs separately from the store, so that a store that was lost, emptied, copied or restored
 * is noticed. The memory contains the source, the place and the highest number of marks of each job.
 */
export class FolderMemory {
  readonly #file: SharedFile;

  private constructor(file: SharedFile) {
    this.#file = file;
  }

  static async open(folder: string): Promise<FolderMemory> {
    createFolder(folder);
    return new FolderMemory(await openSharedFile(join(folder, 'memory.sqlite'), kind, { patience: blocking }));
  }

  /** Remembers a job. The remembered number of marks only grows. */
  async keep(job: RememberedJob): Promise<void> {
    const { seed, name, definition, checksum, place, location, marks } = job;
    await this.#run(
      `INSERT INTO jobs (seed, name, definition, checksum, place, location, marks) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (seed) DO UPDATE SET place = excluded.place, location = excluded.location, marks = max(marks, excluded.marks)`,
      [seed, name, definition, checksum, place, location, marks],
    );
  }

  async raise(seed: string, marks: number): Promise<void> {
    await this.#run('UPDATE jobs SET marks = ? WHERE seed = ? AND marks < ?', [marks, seed, marks]);
  }

  async marksOf(seed: string): Promise<number> {
    const [found] = await this.#run('SELECT marks FROM jobs WHERE seed = ?', [seed]);
    return Number(found?.marks ?? 0);
  }

  /** Finds jobs with this definition that have this name or this source. */
  async find(
    definition: string,
    { name, checksum }: Pick<RememberedJob, 'name' | 'checksum'>,
  ): Promise<Pick<RememberedJob, 'seed' | 'name' | 'place' | 'location'>[]> {
    const text = 'SELECT * FROM jobs WHERE definition = ? AND (name = ? OR checksum = ?)';
    return (await this.#run(text, [definition, name, checksum])).map((job) => ({
      seed: String(job.seed),
      name: String(job.name),
      place: String(job.place),
      location: String(job.location),
    }));
  }

  async forget(seed: string): Promise<void> {
    await this.#run('DELETE FROM jobs WHERE seed = ?', [seed]);
  }

  close(): void {
    this.#file.database.close();
  }

  #run(text: string, values: (string | number)[]): Promise<Record<string, unknown>[]> {
    const { database, path } = this.#file;
    return retryWhileBusy(path, () => database.prepare(text).all(...values));
  }
}
