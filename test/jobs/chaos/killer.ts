import type { Team } from './team.ts';

/** Milliseconds between two looks at the number of requests. */
const look = 20;

/**
 * Kills a working worker each time the service has received some requests. A clock would outpace the work on a busy machine: each worker would
 * die at its first request, so few would be registered, and no lookup would end.
 */
export class Killer {
  readonly #team: Pick<Team, 'killOne'>;
  readonly #requests: () => number;
  readonly #every: number;
  #next = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(team: Pick<Team, 'killOne'>, requests: () => number, every: number) {
    this.#team = team;
    this.#requests = requests;
    this.#every = every;
  }

  start(): void {
    this.#next = this.#requests() + this.#every;
    this.#timer = setInterval(() => {
      if (this.#requests() < this.#next) return;
      this.#next = this.#requests() + this.#every;
      this.#team.killOne();
    }, look);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
