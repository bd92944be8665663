import type { Change } from './data/ledger.ts';
import type { Store, StoredChange } from './store.ts';

/** Changes in one write. */
const mostAtOnce = 10_000;

/** Sends the changes of all worlds to a store, in order, and knows when they last. */
export class Persistence {
  readonly #store: Store;
  readonly #current: () => Iterable<StoredChange>;
  #written: Promise<void> = Promise.resolve();
  #hasPending = false;
  /** The storing of a world that is too large for one write. */
  #large: Promise<void> | undefined;
  #failure: { reason: unknown } | undefined;
  #replacing = false;

  /** @param current - returns the present records of all worlds, as they are when it is called */
  constructor(store: Store, current: () => Iterable<StoredChange>) {
    this.#store = store;
    this.#current = current;
  }

  /** @throws `Error` if the store has failed: the data would no longer last */
  checkWritable(): void {
    if (!this.#failure) return;
    const { reason } = this.#failure;
    throw new Error(`The sandbox could not store a change: ${reason instanceof Error ? reason.message : reason}`);
  }

  write(world: string, changes: readonly Change[]): void {
    if (changes.length > 0) this.send(changes.map((change) => ({ world, ...change })));
  }

  send(changes: readonly StoredChange[]): void {
    if (this.#failure) return;
    const written = this.#store.write(changes).catch((reason: unknown) => {
      this.#failure ??= { reason };
    });
    this.#written = written;
    this.#hasPending = true;
    void written.then(() => {
      if (this.#written === written) this.#hasPending = false;
    });
    if (this.#store.isFragmented) this.#compact();
  }

  /** Stores all records of a world. Very many are too long for one write, so they replace what is stored. */
  sendWorld(changes: readonly StoredChange[]): void {
    if (changes.length <= mostAtOnce) return this.send(changes);
    if (this.#failure) return;
    const stored = this.#store.replace(this.#current()).catch((reason: unknown) => {
      this.#failure ??= { reason };
    });
    this.#large = stored;
    void stored.then(() => {
      if (this.#large === stored) this.#large = undefined;
    });
  }

  /** Resolves once all changes so far last. Rejects if the store has failed. */
  async settle(): Promise<void> {
    if (this.#large) await this.#large;
    if (this.#hasPending) await this.#written;
    this.checkWritable();
  }

  async close(): Promise<void> {
    await this.#large;
    await this.#written;
    await this.#store.close();
    this.checkWritable();
  }

  #compact(): void {
    if (this.#replacing) return;
    this.#replacing = true;
    void this.#store
      .replace(this.#current())
      .catch((reason: unknown) => {
        this.#failure ??= { reason };
      })
      .finally(() => {
        this.#replacing = false;
      });
  }
}
