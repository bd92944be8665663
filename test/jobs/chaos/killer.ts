import type { Team } from './team.ts';

/** Kills a worker that works at each interval, on a clock of its own: nothing else delays it. */
export class Killer {
  /** Milliseconds in which it killed, and how often. */
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

  /** @param end - until when the time counts: a kill that was due and found no worker at work is one that is missing */
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
        // If no worker works, it tries again soon, and the kills that are due follow one another.
        this.#wait(isDone ? due + this.#interval : due);
      },
      Math.max(20, due - performance.now()),
    );
  }
}
