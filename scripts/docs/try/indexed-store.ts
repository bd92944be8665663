import type { Store, StoredArea, StoredChange, StoredRecord } from '../../../src/sandbox/index.ts';

const databaseName = 'carillon-sandbox';
const tableName = 'records';
/** Only one tab keeps its data: two would mix their changes. */
const lockName = 'carillon-sandbox';

/**
 * Keeps a sandbox in IndexedDB, a row for each record. Where that is not possible, as in a second tab or in a private
 * window, it keeps nothing, and the sandbox lives in memory.
 */
export class IndexedStore implements Store {
  #database: IDBDatabase | undefined;
  #lastPlace = 0;
  /** The last write. Transactions end in their order. */
  #written: Promise<void> = Promise.resolve();

  /** Whether a reload keeps the data. */
  get isKept(): boolean {
    return this.#database !== undefined;
  }

  async *read(): AsyncGenerator<StoredChange> {
    this.#database = (await isAlone()) ? await openDatabase().catch(() => undefined) : undefined;
    const rows: Row[] = (await this.#run('readonly', (table) => table.getAll())) ?? [];
    rows.sort((one, other) => one.place - other.place);
    this.#lastPlace = rows.at(-1)?.place ?? 0;
    for (const { change } of rows) yield change;
  }

  /** A failure, such as a full disk, is noticed later: the data then stays in memory. */
  write(changes: readonly StoredChange[]): void {
    this.#written = this.#write(changes);
  }

  flush(): Promise<void> {
    return this.#written;
  }

  replace(area: StoredArea, records: Iterable<StoredRecord>): Promise<void> {
    return this.#write([area, ...Array.from(records, (record) => ({ ...area, ...record }))]);
  }

  /** Forgets everything, for data that cannot be read. */
  async clear(): Promise<void> {
    await this.#run('readwrite', (table) => table.clear());
  }

  async close(): Promise<void> {
    this.#database?.close();
    this.#database = undefined;
  }

  async #write(changes: readonly StoredChange[]): Promise<void> {
    await this.#run('readwrite', (table) => {
      for (const change of changes) this.#apply(table, change);
      return table.count();
    });
  }

  #apply(table: IDBObjectStore, change: StoredChange): void {
    const { world, snapshot = '', table: name, key = '', item = '', value } = change;
    const area = [world, snapshot];
    // An array is after every text and number.
    if (name === undefined) table.delete(IDBKeyRange.bound(area, [...area, []]));
    else if (value === undefined) table.delete([...area, name, key, item]);
    else {
      this.#lastPlace += 1;
      const added = this.#lastPlace;
      const path = [...area, name, key, item];
      const known: IDBRequest<Row | undefined> = table.get(path);
      // A record that changes keeps its place.
      known.onsuccess = () => table.put({ place: known.result?.place ?? added, change } satisfies Row, path);
    }
  }

  /** Runs a transaction. Resolves once it is complete. If it fails, such as on a full disk, the data stays in memory. */
  #run<Result>(
    mode: IDBTransactionMode,
    act: (table: IDBObjectStore) => IDBRequest<Result>,
  ): Promise<Result | undefined> {
    const database = this.#database;
    if (!database) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const transaction = database.transaction(tableName, mode);
      const request = act(transaction.objectStore(tableName));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => {
        this.#database = undefined;
        resolve(undefined);
      };
    });
  }
}

interface Row {
  place: number;
  change: StoredChange;
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 2);
    request.onupgradeneeded = () => {
      for (const name of request.result.objectStoreNames) request.result.deleteObjectStore(name);
      request.result.createObjectStore(tableName);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Whether no other tab has this page. The browser releases the lock when the page goes. */
function isAlone(): Promise<boolean> {
  if (!('locks' in navigator)) return Promise.resolve(false);
  return new Promise((resolve) => {
    void navigator.locks.request(lockName, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      // Held as long as the page lives.
      return lock === null ? undefined : new Promise(() => {});
    });
  });
}
