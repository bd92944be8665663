/** A record that a transaction changed. */
export interface Change {
  /** Name of the table, such as `crm.contacts`. */
  readonly table: string;
  /** Key of the record in its table. */
  readonly key: string | number;
  /** The record as plain JSON data, or `undefined` if the record was deleted. */
  readonly value?: object;
  /** Change in the number of records in the table: 1, 0 or -1. */
  readonly growth: number;
}

/** A table that takes part in transactions. */
export interface Participant {
  /** Changes that the transaction has made so far. */
  changes(): readonly Change[];
  /** Commits the transaction. */
  commit(): void;
  /** Rolls the transaction back. */
  rollBack(): void;
}

/** Runs transactions over all tables in a state. A transaction is synchronous, so only one runs at a time. */
export class Ledger {
  #changed: Set<Participant> | undefined;
  /**
   * Called with the changes in each transaction, and with each change outside a transaction, before the changes are committed.
   * If the listener throws, the changes are undone.
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
