/** What a store keeps as a whole: the data of a world, or a snapshot of it that has a name. */
export interface StoredArea {
  /** Name of the world; an empty string is the default world. */
  readonly world: string;
  /** Name of the snapshot. Without it, the area is the data of the world itself. */
  readonly snapshot?: string | undefined;
}

/** A stored record. */
export interface StoredRecord {
  /** Table of the record. */
  readonly table: string;
  /** Key of the record in its table. */
  readonly key: string | number;
  /** Number of an item in a long list of the record, which is stored on its own. Absent for the record itself. */
  readonly item?: number | undefined;
  /** The record, or the item, as plain JSON data. */
  readonly value: unknown;
}

/** A change of one stored record. */
export interface StoredChange extends StoredArea, Partial<StoredRecord> {
  /** Without a table, the whole area is removed. */
  readonly table?: string;
  /** The record. Without a value, it is removed. */
  readonly value?: unknown;
}

/**
 * Where a sandbox keeps its data. The command `carillon-sandbox --data` has one in SQLite. In a browser, an object store
 * of IndexedDB can hold the records.
 *
 * @example
 * ```ts
 * import { createSandbox, type Store, type StoredChange } from 'carillon-sandbox';
 *
 * function memoryStore(): Store {
 *   const stored = new Map<string, StoredChange>();
 *   const write: Store['write'] = (changes) => {
 *     for (const change of changes) {
 *       const { world, snapshot = null, table, key, item = null, value } = change;
 *       const place = JSON.stringify([world, snapshot, table, key, item]);
 *       const area = JSON.stringify([world, snapshot]).slice(0, -1);
 *       if (table === undefined) for (const one of stored.keys()) if (one.startsWith(area)) stored.delete(one);
 *       if (value === undefined) stored.delete(place);
 *       else stored.set(place, change);
 *     }
 *   };
 *   return {
 *     read: () => [...stored.values()],
 *     write,
 *     async replace(area, records) {
 *       write([area, ...Array.from(records, (record) => ({ ...area, ...record }))]);
 *     },
 *     async close() {},
 *   };
 * }
 *
 * const store = memoryStore();
 * const first = createSandbox({ store });
 * await first.ready;
 * first.state.crm.tags.put({ id: 17, name: 'Partner' });
 * await first.close();
 *
 * const second = createSandbox({ store });
 * await second.ready;
 * console.log(second.state.crm.tags.get(17)?.name); // Partner
 * ```
 */
export interface Store {
  /**
   * Reads what is stored. The sandbox calls it once, first.
   *
   * @returns the records of all areas, those of one table in the order in which they were first written
   */
  read(): AsyncIterable<StoredChange> | Iterable<StoredChange>;
  /**
   * Stores changes as a unit: all of them or none. It is synchronous, so that memory and store never differ: a store that can only wait
   * for its medium queues them, and has `flush`.
   *
   * @throws any error if they cannot be stored: the sandbox then undoes what caused them, and refuses the request with status 507
   */
  write(changes: readonly StoredChange[]): void;
  /**
   * Replaces an area as a unit. It may take its time, while other areas change.
   *
   * @param records - all records of the area, read in steps
   * @returns a promise that resolves once they last. It rejects if they cannot be stored: the area then stays as it was.
   */
  replace(area: StoredArea, records: Iterable<StoredRecord>): Promise<void>;
  /** Resolves once the queued changes last. No reply is sent before. */
  flush?(): Promise<void>;
  /** Waits for everything that is under way, and releases the store. */
  close(): Promise<void>;
}
