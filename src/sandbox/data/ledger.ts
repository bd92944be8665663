/** A record that a transaction changed. */
export interface Change {
  /** Name of the table, such as `crm.contacts`. */
  readonly table: string;
  /** Key of the record in its table. */
  readonly key: string | number;
  /** The record as plain JSON data, or `undefined` if the record was deleted. */
  readonly value?: object;
  /** Growth of the table in records: 1, 0 or -1. */
  readonly growth: number;
}

/** A table that takes part in transactions. */
export interface Participant {
  /** The changes of the transaction so far. */
  changes(): readonly Change[];
  /** Makes the changes of the transaction final. */
  commit(): void;
  /** Undoes the changes of the transaction. */
  rollBack(): void;
}

/** Runs transactions over all tables of a state. A transaction is synchronous, so only one runs at a time. */
export class Ledger {
  #changed: Set<Participant> | undefined;
  /**
   * Called with the changes of each transaction, and with each change outside a transaction, before the changes are final. If
   * the listener throws, the changes are undone.
   */
  listener: ((changes: readonly Change[]) => void) | undefined;

  /** Whether a transaction is running. */
  get isOpen(): boolean {
    return this.#changed !== undefined;
  }

  /** Adds a table to the running transaction. */
  join(table: Participant): void {
    this.#changed?.add(table);
  }

  /**
   * Runs a function as a transaction. If the function throws, every change is undone and the error is thrown again.
   *
   * @returns the result of the function
   */
  run<Result>(act: () => Result): Result {
    if (this.#changed) throw new Error('A transaction is already running');
    const changed = new Set<Participant>();
    this.#changed = changed;
    try {
      const result = act();
      if (this.listener) {
        const changes = [...changed].flatMap((table) => table.changes());
        if (changes.length > 0) this.listener(changes);
      }
      for (const table of changed) table.commit();
      return result;
    } catch (error) {
      for (const table of changed) table.rollBack();
      throw error;
    } finally {
      this.#changed = undefined;
    }
  }
}
