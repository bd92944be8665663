import type { Team } from './team.ts';

/** Milliseconds between two looks for a working worker. */
const look = 20;

/**
 * Kills a working worker at each interval, on its own timer, so that other work cannot delay it. A kill that found nobody at work is not made
 * up for: each worker would then die at its first request, and no lookup would end.
 */
export class Killer {
  readonly #team: Pick<Team, 'killOne'>;
  readonly #interval: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(team: Pick<Team, 'killOne'>, interval: number) {
    this.#team = team;
    this.#interval = interval;
  }

  start(): void {
    this.#wait(this.#interval);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#wait(this.#team.killOne() ? this.#interval : look), milliseconds);
  }
}
