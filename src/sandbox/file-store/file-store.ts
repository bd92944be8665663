import { mkdirSync, readdirSync, renameSync, statSync, unlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { lockFolder } from '../../shared/lock.ts';
import type { Store, StoredChange } from '../store.ts';
import { AppendFile } from './append-file.ts';
import { writeLine, writeRecords } from './journal-lines.ts';
import { readChanges } from './read-lines.ts';

export interface FileStoreOptions {
  /** Whether a write also waits until the disk has it, so that it survives a power failure. @default false */
  sync?: boolean;
}

/** A journal is replaced by a snapshot once it is larger than this, and than the last snapshot. */
const smallestToCompact = 16 * 1024 * 1024;
/** How many records of a snapshot are one line. */
const recordsPerLine = 200;

/**
 * A store in a folder: the snapshot with the highest number, and the journals from that number on. Journals only grow. A
 * snapshot is written to a temporary file and renamed, so that it is complete or absent.
 */
export class FileStore implements Store {
  readonly #folder: string;
  readonly #isSynced: boolean;
  readonly #unlock: () => Promise<void>;
  #generation = 0;
  #journal: Promise<AppendFile> | undefined;
  #journalSize = 0;
  #snapshotSize = 0;
  #replacing: Promise<void> = Promise.resolve();

  private constructor(folder: string, isSynced: boolean, unlock: () => Promise<void>) {
    this.#folder = folder;
    this.#isSynced = isSynced;
    this.#unlock = unlock;
  }

  /**
   * Opens a folder. Creates it if it does not exist.
   *
   * @throws `FolderInUseError` if another process uses it
   */
  static async open(folder: string, { sync = false }: FileStoreOptions = {}): Promise<FileStore> {
    mkdirSync(folder, { recursive: true });
    return new FileStore(folder, sync, await lockFolder(folder));
  }

  get isFragmented(): boolean {
    return this.#journalSize > Math.max(smallestToCompact, this.#snapshotSize);
  }

  *read(): Generator<StoredChange> {
    const { snapshots, journals } = this.#files();
    const last = snapshots.at(-1);
    if (last !== undefined) {
      this.#snapshotSize = statSync(this.#path('snapshot', last)).size;
      yield* readChanges(this.#path('snapshot', last), false);
    }
    const later = journals.filter((number) => number >= (last ?? 0));
    for (const number of later) {
      this.#journalSize += statSync(this.#path('journal', number)).size;
      yield* readChanges(this.#path('journal', number), number === later.at(-1));
    }
    this.#generation = Math.max(last ?? 0, ...later);
    this.#journal = AppendFile.open(this.#path('journal', this.#generation), this.#isSynced);
  }

  async write(changes: readonly StoredChange[]): Promise<void> {
    const line = writeLine(changes);
    this.#journalSize += Buffer.byteLength(line);
    const journal = await this.#openJournal();
    await journal.append(line);
  }

  replace(changes: Iterable<StoredChange>): Promise<void> {
    const number = this.#generation + 1;
    const before = this.#openJournal();
    this.#generation = number;
    this.#journalSize = 0;
    // The new journal starts when the old one is complete, so that only the last journal can have a torn line.
    this.#journal = before.then(async (journal) => {
      await journal.close();
      return AppendFile.open(this.#path('journal', number), this.#isSynced);
    });
    this.#replacing = Promise.all([this.#journal, this.#replacing]).then(() => this.#writeSnapshot(number, changes));
    return this.#replacing;
  }

  async close(): Promise<void> {
    await this.#replacing;
    const journal = await this.#journal;
    await journal?.close();
    await this.#unlock();
  }

  async #writeSnapshot(number: number, changes: Iterable<StoredChange>): Promise<void> {
    const file = this.#path('snapshot', number);
    const temporary = `${file}.tmp`;
    const handle = await open(temporary, 'w');
    try {
      for (const lines of inLines(changes)) {
        await handle.appendFile(lines);
        // Requests are answered in between.
        await nextTurn();
      }
      await handle.sync();
      this.#snapshotSize = (await handle.stat()).size;
    } finally {
      await handle.close();
    }
    renameSync(temporary, file);
    const { snapshots, journals } = this.#files();
    for (const old of snapshots) if (old < number) unlinkSync(this.#path('snapshot', old));
    for (const old of journals) if (old < number) unlinkSync(this.#path('journal', old));
  }

  #openJournal(): Promise<AppendFile> {
    if (!this.#journal) throw new Error('Read the store before you write to it');
    return this.#journal;
  }

  #files(): { snapshots: number[]; journals: number[] } {
    const names = readdirSync(this.#folder);
    const numbersOf = (kind: string): number[] =>
      names
        .flatMap((name) => new RegExp(`^${kind}-(\\d+)\\.jsonl$`).exec(name)?.[1] ?? [])
        .map(Number)
        .sort((one, other) => one - other);
    return { snapshots: numbersOf('snapshot'), journals: numbersOf('journal') };
  }

  #path(kind: 'snapshot' | 'journal', number: number): string {
    return join(this.#folder, `${kind}-${String(number).padStart(6, '0')}.jsonl`);
  }
}

/** Joins changes to lines: records of one table to one line, up to a moderate size. */
function* inLines(changes: Iterable<StoredChange>): Generator<string> {
  let batch: StoredChange[] = [];
  for (const change of changes) {
    const [first] = batch;
    const isFull = batch.length >= recordsPerLine;
    if (first && (isFull || first.world !== change.world || first.table !== change.table)) {
      yield writeBatch(batch);
      batch = [];
    }
    batch.push(change);
  }
  if (batch.length > 0) yield writeBatch(batch);
}

function writeBatch(batch: readonly StoredChange[]): string {
  return batch.every(({ value }) => value !== undefined) ? writeRecords(batch) : writeLine(batch);
}
