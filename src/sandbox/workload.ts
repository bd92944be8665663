import { ownTurn } from './slices.ts';

/** Work of one request, in milliseconds, after which the next request of the same world waits for a turn of its own. */
const maxFree = 10;
/** Characters of a body beyond which a request waits for a turn of its own. */
const maxFreeBody = 64 * 1024;

/**
 * The work that the requests of a world cause. A world that causes much of it waits, so that the requests of others, which are
 * small, are answered in between.
 */
export class Workload {
  #isHeavy = false;

  /** Waits before a request that may cause much work. Returns `undefined` if it need not wait. */
  begin(bodyLength: number): Promise<void> | undefined {
    return this.#isHeavy || bodyLength > maxFreeBody ? ownTurn() : undefined;
  }

  /** Notes the time that a request took without a pause. */
  end(milliseconds: number): void {
    this.#isHeavy = milliseconds > maxFree;
  }
}
