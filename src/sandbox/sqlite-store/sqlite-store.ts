import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StatementSync } from 'node:sqlite';
import { checksum, DatabaseFileError, type FileKind, SqliteFile } from '../../shared/sqlite-file.ts';
import { ownTurn } from '../slices.ts';
import type { Store, StoredArea, StoredChange, StoredRecord } from '../store.ts';

export interface SqliteStoreOptions {
  /** Whether a write waits until it is on disk, so that it survives a power failure. @default false */
  sync?: boolean;
}

/** Name of the file in the folder of a store. */
export const storeFile = 'sandbox.sqlite';

/** Longest transaction of a long task, in milliseconds. Requests are answered in between. */
const slice = 10;
/** Rows in one statement of a long task. */
const rowsAtOnce = 50;
/** Columns of an item. */
const itemColumns = 6;

/**
 * A generation is all data of an area, which is a world or one of its snapshots. A new generation is written beside the
 * current one, and replaces it in one small transaction. Rows of generations without an area are removed later.
 *
 * Names and text keys are stored as JSON, because SQLite texts lose NUL and lone surrogates. `place` is the order in which
 * rows were first written; `checksum` is that of the other columns, plus the place.
 */
const kind: FileKind = {
  what: 'data of carillon-sandbox',
  applicationId: 0x4361_5361,
  version: 1,
  schema: `
    CREATE TABLE area (generation INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, checksum INTEGER NOT NULL) STRICT;
    CREATE TABLE collection (id INTEGER PRIMARY KEY, generation INTEGER NOT NULL, name TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT;
    CREATE TABLE record (collection INTEGER NOT NULL, key ANY NOT NULL, value TEXT NOT NULL, place INTEGER NOT NULL,
      checksum INTEGER NOT NULL, PRIMARY KEY (collection, key)) STRICT, WITHOUT ROWID;
    CREATE TABLE item (collection INTEGER NOT NULL, key ANY NOT NULL, item INTEGER NOT NULL, value TEXT NOT NULL, place INTEGER NOT NULL,
      checksum INTEGER NOT NULL, PRIMARY KEY (collection, key, item)) STRICT, WITHOUT ROWID`,
};

type Key = string | number;

/** The rows are types, because TypeScript does not take what `node:sqlite` returns for an interface. */
type Row = {
  collection: number;
  key: Key;
  item?: number;
  value: string;
  place: number;
  checksum: number;
};

/** A collection of a generation. It has the records of a table, or the items of a list of all its records. */
interface Collection {
  area: StoredArea | undefined;
  name: string;
}

/** Keeps the data of a sandbox in a folder, in a SQLite file. */
export class SqliteStore implements Store {
  readonly #file: SqliteFile;
  readonly #statements: Statements;
  /** Current generation of each area, by its name. */
  readonly #generations = new Map<string, number>();
  /** Collections of current and unfinished generations, by generation and name. */
  readonly #collections = new Map<string, number>();
  /** Generations that are being written. */
  readonly #unfinished = new Set<number>();
  #lastGeneration = 0;
  #lastCollection = 0;
  #lastPlace = 0;
  #isClosing = false;
  #sweeping: Promise<void> | undefined;
  /** Undoes the changes of a failed transaction in memory. */
  #undo: (() => void)[] = [];

  private constructor(file: SqliteFile) {
    this.#file = file;
    this.#statements = prepareStatements(file);
    this.hadData = file.database.prepare('SELECT 1 FROM area').get() !== undefined;
  }

  /**
   * Opens a folder. Creates it if it does not exist.
   *
   * @throws `DatabaseFileError` if another process uses the folder, if its permissions forbid access, or if its file is
   * damaged
   */
  static async open(folder: string, { sync = false }: SqliteStoreOptions = {}): Promise<SqliteStore> {
    try {
      mkdirSync(folder, { recursive: true });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new DatabaseFileError(
        `The folder ${folder} cannot be created. Check its owner and its permissions. (${reason})`,
      );
    }
    refuseOldFormat(folder);
    const file = await SqliteFile.open(join(folder, storeFile), kind, { sync });
    try {
      return file.read(() => new SqliteStore(file));
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** Whether the folder had data when it was opened. */
  readonly hadData: boolean;

  /** Whether no rows of replaced data are being removed. */
  get isSwept(): boolean {
    return this.#sweeping === undefined;
  }

  *read(): Generator<StoredChange> {
    const { records, items } = this.#statements;
    try {
      const collections = this.#readCollections();
      // Check every row, also of other generations, because a damaged number would hide a row.
      yield* this.#readRows(records, collections);
      yield* this.#readRows(items, collections);
    } catch (error) {
      throw this.#file.explain(error);
    }
    this.#sweep();
  }

  write(changes: readonly StoredChange[]): void {
    this.#run(() => this.#applyAll(changes));
    if (changes.some(({ table }) => table === undefined)) this.#sweep();
  }

  async replace(area: StoredArea, records: Iterable<StoredRecord>): Promise<void> {
    this.#lastGeneration += 1;
    const generation = this.#lastGeneration;
    this.#unfinished.add(generation);
    try {
      const rows = records[Symbol.iterator]();
      while (!this.#run(() => this.#insertSlice(generation, rows))) await ownTurn();
      this.#run(() => this.#setGeneration(area, generation));
    } finally {
      this.#unfinished.delete(generation);
      this.#sweep();
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#sweeping;
    this.#file.close();
  }

  /** Runs a transaction. If it fails, its changes in memory are undone, too. */
  #run<Result>(act: () => Result): Result {
    this.#undo = [];
    try {
      return this.#file.run(act);
    } catch (error) {
      for (const undo of this.#undo.toReversed()) undo();
      throw error;
    }
  }

  /** Applies changes in order. Items of long lists, of which one request can write thousands, share statements. */
  #applyAll(changes: readonly StoredChange[]): void {
    const items: (string | number)[] = [];
    let list: StoredChange | undefined;
    let collection = 0;
    const flush = (): void => {
      this.#statements.upsertItems(items);
      items.length = 0;
    };
    for (const change of changes) {
      const { table, key, item, value } = change;
      if (table === undefined || key === undefined || item === undefined || value === undefined) {
        flush();
        this.#apply(change);
        list = undefined;
        continue;
      }
      if (list?.world !== change.world || list.snapshot !== change.snapshot || list.table !== table) {
        collection = this.#collection(this.#generation(change), table);
        list = change;
      }
      items.push(...this.#itemColumns(collection, key, item, value));
      if (items.length === itemColumns * rowsAtOnce) flush();
    }
    flush();
  }

  /** Inserts rows for some time. Returns whether all are inserted. */
  #insertSlice(generation: number, records: Iterator<StoredRecord>): boolean {
    const end = performance.now() + slice;
    const { insertMany, upsertItems } = this.#statements;
    const many: (string | number)[] = [];
    const items: (string | number)[] = [];
    let isDone: boolean | undefined = false;
    while (!isDone && performance.now() < end) {
      for (let count = 0; count < rowsAtOnce; count += 1) {
        const next = records.next();
        isDone = next.done;
        if (next.done) break;
        const { table, key, item, value } = next.value;
        const collection = this.#collection(generation, table);
        if (item === undefined) many.push(...this.#columns(collection, key, value));
        else items.push(...this.#itemColumns(collection, key, item, value));
      }
      insertMany(many);
      upsertItems(items);
      many.length = 0;
      items.length = 0;
    }
    return isDone ?? false;
  }

  /** Applies a change of a record, or removes an item or an area. */
  #apply({ table, key, item, value, ...area }: StoredChange): void {
    if (table === undefined || key === undefined) {
      this.#setGeneration(area, undefined);
      return;
    }
    const collection = this.#collection(this.#generation(area), table);
    const { upsert, remove, removeItem } = this.#statements;
    if (item !== undefined) removeItem.run(collection, storedKey(key), item);
    else if (value === undefined) remove.run(collection, storedKey(key));
    else upsert.run(...this.#columns(collection, key, value));
  }

  #columns(collection: number, key: Key, value: unknown): (string | number)[] {
    const [stored, text] = [storedKey(key), JSON.stringify(value)];
    this.#lastPlace += 1;
    return [collection, stored, text, this.#lastPlace, checksum(text, collection, stored) + this.#lastPlace];
  }

  #itemColumns(collection: number, key: Key, item: number, value: unknown): (string | number)[] {
    const [stored, text] = [storedKey(key), JSON.stringify(value)];
    this.#lastPlace += 1;
    return [
      collection,
      stored,
      item,
      text,
      this.#lastPlace,
      checksum(text, collection, stored, item) + this.#lastPlace,
    ];
  }

  /** Returns the current generation of an area, and creates it if it does not exist. */
  #generation(area: StoredArea): number {
    const known = this.#generations.get(nameOf(area));
    if (known !== undefined) return known;
    this.#lastGeneration += 1;
    const generation = this.#lastGeneration;
    this.#setGeneration(area, generation);
    return generation;
  }

  /** Makes a generation the current one of an area, or removes the area. */
  #setGeneration(area: StoredArea, generation: number | undefined): void {
    const name = nameOf(area);
    const { removeArea, insertArea } = this.#statements;
    removeArea.run(name);
    if (generation !== undefined) insertArea.run(generation, name, checksum(name, generation));
    const before = this.#generations.get(name);
    const set = (value: number | undefined): void => {
      if (value === undefined) this.#generations.delete(name);
      else this.#generations.set(name, value);
    };
    set(generation);
    this.#undo.push(() => set(before));
  }

  #collection(generation: number, name: string): number {
    const place = `${generation} ${name}`;
    const known = this.#collections.get(place);
    if (known !== undefined) return known;
    this.#lastCollection += 1;
    const id = this.#lastCollection;
    this.#statements.insertCollection.run(id, generation, name, checksum(name, id, generation));
    this.#collections.set(place, id);
    this.#undo.push(() => this.#collections.delete(place));
    return id;
  }

  /** Reads the areas and their collections. */
  #readCollections(): Map<number, Collection> {
    const { database } = this.#file;
    const areas = new Map<number, StoredArea>();
    for (const row of database.prepare('SELECT * FROM area').all() as AreaRow[]) {
      if (checksum(row.name, row.generation) !== row.checksum) throw this.#file.damaged();
      areas.set(row.generation, areaOf(row.name));
      this.#generations.set(row.name, row.generation);
      this.#lastGeneration = Math.max(this.#lastGeneration, row.generation);
    }
    const collections = new Map<number, Collection>();
    for (const row of database.prepare('SELECT * FROM collection').all() as CollectionRow[]) {
      const { id, generation, name } = row;
      if (checksum(name, id, generation) !== row.checksum) throw this.#file.damaged();
      const area = areas.get(generation);
      if (area) this.#collections.set(`${generation} ${name}`, id);
      collections.set(id, { area, name });
      this.#lastCollection = Math.max(this.#lastCollection, id);
      this.#lastGeneration = Math.max(this.#lastGeneration, generation);
    }
    return collections;
  }

  /** Reads the rows of a table, those of one collection in the order in which they were first written. */
  *#readRows(select: StatementSync, collections: ReadonlyMap<number, Collection>): Generator<StoredChange> {
    let current: number | undefined;
    let rows: { place: number; change: StoredChange }[] = [];
    for (const row of select.iterate() as IterableIterator<Row>) {
      const { collection, key, item, value, place } = row;
      const sum = item === undefined ? checksum(value, collection, key) : checksum(value, collection, key, item);
      const found = collections.get(collection);
      if (sum + place !== row.checksum || !found) throw this.#file.damaged();
      this.#lastPlace = Math.max(this.#lastPlace, place);
      if (!found.area) continue;
      if (collection !== current) {
        yield* inOrder(rows);
        [current, rows] = [collection, []];
      }
      const change = { ...found.area, table: found.name, key: givenKey(key), item, value: JSON.parse(value) };
      rows.push({ place, change });
    }
    yield* inOrder(rows);
  }

  /** Removes the rows of generations without an area, in slices. */
  #sweep(): void {
    this.#sweeping ??= this.#removeObsolete()
      // The next start tries again.
      .catch(() => undefined)
      .finally(() => {
        this.#sweeping = undefined;
      });
  }

  async #removeObsolete(): Promise<void> {
    for (;;) {
      await ownTurn();
      if (this.#isClosing) return;
      const obsolete = this.#statements.obsolete.all() as CollectionRow[];
      const next = obsolete.find(({ generation }) => !this.#unfinished.has(generation));
      if (!next) return;
      while (!this.#isClosing && !this.#file.run(() => this.#removeSlice(next.id))) await ownTurn();
    }
  }

  /** Removes rows of a collection for some time. Returns whether it is gone. */
  #removeSlice(collection: number): boolean {
    const end = performance.now() + slice;
    const { removeSome, removeSomeItems, removeCollection } = this.#statements;
    while (performance.now() < end) {
      const { changes } = removeSome.run(collection, collection);
      const { changes: items } = removeSomeItems.run(collection, collection);
      if (changes === 0 && items === 0) {
        removeCollection.run(collection);
        return true;
      }
    }
    return false;
  }
}

type AreaRow = {
  generation: number;
  name: string;
  checksum: number;
};

type CollectionRow = {
  id: number;
  generation: number;
  name: string;
  checksum: number;
};

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements({ database }: SqliteFile) {
  const prepare = (sql: string): StatementSync => database.prepare(sql);
  const insert = prepare('INSERT INTO record VALUES (?, ?, ?, ?, ?)');
  const insertMany = prepare(`INSERT INTO record VALUES ${rows('(?, ?, ?, ?, ?)')}`);
  const update = `ON CONFLICT DO UPDATE SET value = excluded.value, checksum = excluded.checksum - excluded.place + place`;
  const upsertItem = prepare(`INSERT INTO item VALUES (?, ?, ?, ?, ?, ?) ${update}`);
  const upsertItems = prepare(`INSERT INTO item VALUES ${rows('(?, ?, ?, ?, ?, ?)')} ${update}`);
  return {
    // Kept, because Node before 22.16 finalizes a statement that nothing refers to, even during `iterate()`.
    records: prepare('SELECT * FROM record ORDER BY collection, key'),
    items: prepare('SELECT * FROM item ORDER BY collection, key'),
    insertArea: prepare('INSERT INTO area VALUES (?, ?, ?)'),
    removeArea: prepare('DELETE FROM area WHERE name = ?'),
    insertCollection: prepare('INSERT INTO collection VALUES (?, ?, ?, ?)'),
    removeCollection: prepare('DELETE FROM collection WHERE id = ?'),
    obsolete: prepare('SELECT * FROM collection WHERE generation NOT IN (SELECT generation FROM area)'),
    upsert: prepare(`INSERT INTO record VALUES (?, ?, ?, ?, ?) ${update}`),
    remove: prepare('DELETE FROM record WHERE collection = ? AND key = ?'),
    removeItem: prepare('DELETE FROM item WHERE collection = ? AND key = ? AND item = ?'),
    removeSome: prepare(
      'DELETE FROM record WHERE collection = ? AND key IN (SELECT key FROM record WHERE collection = ? LIMIT 200)',
    ),
    removeSomeItems: prepare(
      'DELETE FROM item WHERE collection = ? AND key IN (SELECT key FROM item WHERE collection = ? LIMIT 20)',
    ),
    /** Inserts records whose columns follow each other. One statement for many rows is faster. */
    insertMany: (columns: Columns): void => runMany(columns, 5, insertMany, insert),
    /** Inserts or replaces items whose columns follow each other. */
    upsertItems: (columns: Columns): void => runMany(columns, itemColumns, upsertItems, upsertItem),
  };
}

type Columns = readonly (string | number)[];

function rows(row: string): string {
  return Array(rowsAtOnce).fill(row).join(', ');
}

/** Runs a statement for many rows, or that for one row with each of fewer. */
function runMany(columns: Columns, width: number, many: StatementSync, one: StatementSync): void {
  if (columns.length === width * rowsAtOnce) many.run(...columns);
  else for (let start = 0; start < columns.length; start += width) one.run(...columns.slice(start, start + width));
}

function* inOrder(rows: { place: number; change: StoredChange }[]): Generator<StoredChange> {
  rows.sort((one, other) => one.place - other.place);
  for (const { change } of rows) yield change;
}

function nameOf({ world, snapshot }: StoredArea): string {
  return JSON.stringify(snapshot === undefined ? [world] : [world, snapshot]);
}

function areaOf(name: string): StoredArea {
  const [world, snapshot]: [string, string?] = JSON.parse(name);
  return snapshot === undefined ? { world } : { world, snapshot };
}

function storedKey(key: Key): Key {
  return typeof key === 'number' ? key : JSON.stringify(key);
}

function givenKey(key: Key): Key {
  return typeof key === 'number' ? key : JSON.parse(key);
}

/** Refuses data in the format from before SQLite, which no release wrote. */
function refuseOldFormat(folder: string): void {
  if (readdirSync(folder).some((name) => /^(?:journal|snapshot)-\d+\.jsonl$/.test(name)))
    throw new DatabaseFileError(
      `${folder} has data in an earlier format, which this version does not read. Choose another folder.`,
    );
}
