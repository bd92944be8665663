/** Unit of storage: the data of a world, or one of its named snapshots. */
export interface StoredArea {
  /** Name of the world; an empty string is the default world. */
  readonly world: string;
  /** Name of the snapshot. If omitted, the area is the data of the world itself. */
  readonly snapshot?: string | undefined;
}

/** A stored record. */
export interface StoredRecord {
  /** Name of the table that contains the record. */
  readonly table: string;
  /** Key of the record in its table. */
  readonly key: string | number;
  /** The record as plain JSON data. */
  readonly value: unknown;
}

/** A change to one stored record, or the removal of an area. */
export interface StoredChange extends StoredArea, Partial<StoredRecord> {
  /** Name of the table. If omitted, the change removes the whole area. */
  readonly table?: string;
  /** The new record. If omitted, the change removes the record. */
  readonly value?: unknown;
}

/**
 * Storage for the data of a sandbox. The command `carillon-sandbox --data` uses a store in SQLite.
 *
 * @example
 * ```ts
 * import { createSandbox, type Store, type StoredChange } from 'carillon-sandbox';
 *
 * function memoryStore(): Store {
 *   const stored = new Map<string, StoredChange>();
 *   const write: Store['write'] = (changes) => {
 *     for (const change of changes) {
 *       const { world, snapshot = null, table, key, value } = change;
 *       const place = JSON.stringify([world, snapshot, table, key]);
 *       const area = JSON.stringify([world, snapshot]).slice(0, -1);
 *       if (table === undefined) for (const one of stored.keys()) if (one.startsWith(area)) stored.delete(one);
 *       if (value === undefined) stored.delete(place);
 *       else stored.set(place, change);
 *     }
 *   };
 *   return {
 *     read: () => [...stored.values()],
 *     write,
 *     close() {},
 *   };
 * }
 *
 * const store = memoryStore();
 * const first = createSandbox({ store });
 * first.state.crm.tags.put({ id: 17, name: 'Partner' });
 * await first.close();
 *
 * const second = createSandbox({ store });
 * console.log(second.state.crm.tags.get(17)?.name); // Partner
 * ```
 */
export interface Store {
  /**
   * Reads all stored data. The sandbox calls this method once, before the other methods.
   *
   * @returns the records of all areas; the records of each table are in the order in which they were first written
   */
  read(): Iterable<StoredChange>;
  /**
   * Stores changes atomically and in order, before the response is sent.
   *
   * @throws any error if the changes cannot be stored; the sandbox then undoes the changes and rejects the request with status
   * 507
   */
  write(changes: readonly StoredChange[]): void;
  /** Releases the store. */
  close(): void;
}
