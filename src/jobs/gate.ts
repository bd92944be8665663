/** Slows a worker down while all its requests fail, and counts replies that were lost one after the other. */
export class Gate {
  #until = 0;
  #wait = 0;
  #lost = 0;

  /** Milliseconds until the next request. */
  get wait(): number {
    return Math.max(0, this.#until - Date.now());
  }

  /** A request had an answer. */
  open(): void {
    this.#wait = 0;
    this.#lost = 0;
  }

  /** No request could be sent: the next one waits twice as long, from 0.5 to 30 seconds. */
  close(): void {
    // Those that failed together count once.
    if (this.wait > 0) return;
    this.#wait = Math.min(Math.max(500, this.#wait * 2), 30_000);
    this.#until = Date.now() + this.#wait;
  }

  /** A reply was lost. Returns how many in a row. */
  lose(): number {
    this.#lost += 1;
    if (this.#lost > 3) this.close();
    return this.#lost;
  }
}
