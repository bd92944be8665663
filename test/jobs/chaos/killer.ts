import type { Team } from './team.ts';

/**
 * Kills a working worker at each interval, on its own timer, so that other work cannot delay it. A kill that finds nobody at work is not made
 * up for: it would strike each worker at its first request, and no lookup would end.
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
    this.#timer = setInterval(() => this.#team.killOne(), this.#interval);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
