/** A change of one stored record. */
export interface StoredChange {
  /** World that has the record: a name, or an empty string for the default world. */
  readonly world: string;
  /** Table of the record. Without a table, all records of the world are removed. */
  readonly table?: string;
  /** Key of the record in its table. */
  readonly key?: string | number;
  /** The record as plain JSON data. Without a value, the record is removed. */
  readonly value?: unknown;
}

/**
 * Where a sandbox keeps its data. The command `carillon-sandbox --data` has one for files. In a browser, an object store
 * of IndexedDB can hold the changes, as it does for the console in the docs.
 *
 * @example
 * ```ts
 * import { createSandbox, type Store, type StoredChange } from 'carillon-sandbox';
 *
 * function memoryStore(): Store {
 *   let stored: StoredChange[] = [];
 *   return {
 *     async *read() {
 *       yield* [...stored];
 *     },
 *     async write(changes) {
 *       stored.push(...changes);
 *     },
 *     async replace(changes) {
 *       stored = [...changes];
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
   * Reads the stored changes. Applied in this order, they rebuild the data. The sandbox calls it once, first.
   *
   * @returns all changes, or the present records in the order in which they were first written
   */
  read(): AsyncIterable<StoredChange> | Iterable<StoredChange>;
  /**
   * Stores changes as a unit: either all of them or none. The sandbox does not wait before the next call, so a store
   * keeps the order of the calls.
   *
   * @returns a promise that resolves once the changes last. No reply that depends on them is sent before.
   */
  write(changes: readonly StoredChange[]): Promise<void>;
  /**
   * Replaces everything that is stored. Writes may follow before the promise resolves, and come after these changes.
   *
   * @param changes - the present records
   */
  replace(changes: Iterable<StoredChange>): Promise<void>;
  /** Whether obsolete changes take so much space that the sandbox should call `replace`. */
  readonly isFragmented?: boolean;
  /** Waits for all writes, and releases the store. */
  close(): Promise<void>;
}
