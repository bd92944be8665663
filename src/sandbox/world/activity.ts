import { sleep } from '../../shared/sleep.ts';

/** Counts requests and control commands, which can change a world. Readers can wait for the next change. */
export class Activity {
  #count = 0;
  /** Aborts at the next change. Only a waiting reader creates the controller, because requests are frequent. */
  #change: AbortController | undefined;

  next(): void {
    this.#count += 1;
    this.#change?.abort();
    this.#change = undefined;
  }

  /**
   * Waits until the count differs from the count that the caller knows.
   *
   * @param known - count that the caller knows; if `undefined`, the current count is returned at once
   * @param milliseconds - longest wait
   * @returns the current count
   * @throws the signal's reason if the signal aborts
   */
  async after(known: number | undefined, milliseconds: number, signal: AbortSignal | null): Promise<number> {
    if (known !== this.#count) return this.#count;
    this.#change ??= new AbortController();
    const change = this.#change.signal;
    try {
      await sleep(milliseconds, signal ? AbortSignal.any([signal, change]) : change);
    } catch (error) {
      if (!change.aborted) throw error;
    }
    return this.#count;
  }
}
