import { sleep } from '../../shared/sleep.ts';
import type { Control } from './control.ts';

/** Longest time that one request waits for the next change, in milliseconds. */
const maxWait = 30_000;
/** Shortest time between two refreshes, in milliseconds. A sandbox changes constantly during a test run. */
const minPause = 500;

export interface FollowerOptions {
  control: Control;
  /** Reads the sandbox. Resolves to `false` if the sandbox could not be reached. */
  refresh(): Promise<boolean>;
  isLive: boolean;
  /** Stops the follower. */
  signal: AbortSignal;
}

/**
 * Refreshes when the reader returns to the page and, if `isLive` is true, after each change in the sandbox. A single request
 * waits for the next change. The follower pauses while the page is hidden and while the sandbox does not respond.
 */
export class Follower {
  readonly #control: Control;
  readonly #refresh: () => Promise<boolean>;
  readonly #isLive: boolean;
  readonly #signal: AbortSignal;
  /** Ends the current round of waiting. */
  #round: AbortController | undefined;

  constructor({ control, refresh, isLive, signal }: FollowerOptions) {
    this.#control = control;
    this.#refresh = refresh;
    this.#isLive = isLive;
    this.#signal = signal;
  }

  start(): void {
    const signal = this.#signal;
    const come = () => void this.#follow();
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#round?.abort() : come()), { signal });
    window.addEventListener('focus', come, { signal });
    signal.addEventListener('abort', () => this.#round?.abort());
    come();
  }

  /** Continues after a pause. */
  resume(): void {
    if (this.#isLive && !this.#round && !this.#signal.aborted) void this.#follow();
  }

  /** Ends the current round of waiting, and starts a new one. */
  async #follow(): Promise<void> {
    this.#round?.abort();
    const round = new AbortController();
    this.#round = round;
    const { signal } = round;
    try {
      let known = this.#isLive ? await this.#wait({}, signal) : undefined;
      let responds = await this.#refresh();
      while (responds && known !== undefined) {
        await sleep(minPause, signal);
        known = await this.#wait({ after: String(known), wait: String(maxWait) }, signal);
        // Refresh even without a change, because the clock advances.
        responds = await this.#refresh();
      }
    } catch {
      // The sandbox cannot be reached. A refresh shows the error.
      if (!signal.aborted) await this.#refresh();
    } finally {
      if (this.#round === round) this.#round = undefined;
    }
  }

  async #wait(query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<number> {
    const parameters = new URLSearchParams(query);
    const { count } = await this.#control.send<{ count: number }>('GET', `changes?${parameters}`, undefined, signal);
    return count;
  }
}
