import type { Store, StoredChange } from '../../../src/sandbox/index.ts';

const databaseName = 'carillon-sandbox';
const tableName = 'changes';
/** Only one tab keeps its data: two would mix their changes. */
const lockName = 'carillon-sandbox';
/** After so many writes, the present records replace the changes that led to them. */
const mostWrites = 500;

/**
 * Keeps a sandbox in IndexedDB, as a journal: each write is one entry. Where that is not possible, as in a second tab or
 * in a private window, it keeps nothing, and the sandbox lives in memory.
 */
export class IndexedStore implements Store {
  #database: IDBDatabase | undefined;
  #writes = 0;

  /** Whether a reload keeps the data. */
  get isKept(): boolean {
    return this.#database !== undefined;
  }

  get isFragmented(): boolean {
    return this.#writes > mostWrites;
  }

  async *read(): AsyncGenerator<StoredChange> {
    this.#database = (await isAlone()) ? await openDatabase().catch(() => undefined) : undefined;
    const entries = (await this.#run('readonly', (table) => table.getAll())) ?? [];
    this.#writes = entries.length;
    for (const changes of entries) yield* changes;
  }

  async write(changes: readonly StoredChange[]): Promise<void> {
    this.#writes += 1;
    await this.#run('readwrite', (table) => table.add(changes));
  }

  async replace(changes: Iterable<StoredChange>): Promise<void> {
    this.#writes = 0;
    await this.#run('readwrite', (table) => {
      table.clear();
      return table.add([...changes]);
    });
  }

  /** Forgets everything, for data that cannot be read. */
  async clear(): Promise<void> {
    await this.#run('readwrite', (table) => table.clear());
  }

  async close(): Promise<void> {
    this.#database?.close();
    this.#database = undefined;
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

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(tableName, { autoIncrement: true });
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
