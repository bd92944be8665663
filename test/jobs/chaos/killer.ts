import type { Team } from './team.ts';

/** Kills a working worker at each interval, on its own timer, so that other work cannot delay it. */
export class Killer {
  /** Total time of killing in milliseconds, and number of kills. */
  readonly phase = { milliseconds: 0, kills: 0 };
  readonly #team: Team;
  readonly #interval: number;
  #timer: NodeJS.Timeout | undefined;
  #since = 0;
  #times: number[] = [];

  constructor(team: Team, interval: number) {
    this.#team = team;
    this.#interval = interval;
  }

  start(): void {
    this.#since = performance.now();
    this.#times = [];
    this.#wait(this.#since + this.#interval);
  }

  /** @param end - end of the counted time; a kill that was due without a working worker counts as missing */
  stop(end = performance.now()): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.phase.milliseconds += end - this.#since;
    this.phase.kills += this.#times.filter((time) => time <= end).length;
  }

  #wait(due: number): void {
    this.#timer = setTimeout(
      () => {
        const isDone = this.#team.killOne();
        if (isDone) this.#times.push(performance.now());
        // If no worker works, try again soon. Overdue kills then follow one another.
        this.#wait(isDone ? due + this.#interval : due);
      },
      Math.max(20, due - performance.now()),
    );
  }
}
