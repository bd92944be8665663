import { sleep } from '../../shared/sleep.ts';

/** Counts requests and control commands, which can change a world. Readers wait for the next one. */
export class Activity {
  #count = 0;
  readonly #waiting = new Set<AbortController>();

  next(): void {
    this.#count += 1;
    for (const waiting of this.#waiting) waiting.abort();
  }

  /**
   * Waits until the count differs from the one that the caller knows.
   *
   * @param known - count that the caller knows; without it, the current one is returned at once
   * @param milliseconds - longest wait
   * @returns the current count
   * @throws the signal's reason if it aborts
   */
  async after(known: number | undefined, milliseconds: number, signal: AbortSignal | null): Promise<number> {
    if (known === undefined || known !== this.#count) return this.#count;
    const changed = new AbortController();
    this.#waiting.add(changed);
    try {
      await sleep(milliseconds, signal ? AbortSignal.any([signal, changed.signal]) : changed.signal);
    } catch (error) {
      if (!changed.signal.aborted) throw error;
    } finally {
      this.#waiting.delete(changed);
    }
    return this.#count;
  }
}
