import { dismiss, hasEnded, kill, type Worker } from './crew.ts';

/** Number of preloaded workers, so that the next kill does not wait for one to load. */
const reserveSize = 16;

/** A fixed number of workers, with replacements for killed ones. */
export class Team {
  /** All workers that ever began. */
  readonly all: Worker[] = [];
  /** A worker that is not killed. */
  spared: Worker | undefined;
  kills = 0;
  readonly #start: () => Worker;
  readonly #size: number;
  readonly #reserve: Worker[] = [];
  #crew: Worker[] = [];

  constructor(size: number, start: () => Worker) {
    this.#size = size;
    this.#start = start;
    for (let worker = 0; worker < size + reserveSize; worker += 1) this.#reserve.push(start());
  }

  /** Starts the workers when all are loaded. */
  async begin(): Promise<void> {
    await Promise.all(this.#reserve.map(({ isLoaded }) => isLoaded));
    for (let worker = 0; worker < this.#size; worker += 1) this.#hire();
  }

  /** Live workers that have sent a request, oldest first. */
  get working(): Worker[] {
    return this.#crew.filter((worker) => worker.requests > 0 && !hasEnded(worker));
  }

  /** Kills and replaces the oldest working worker. Returns `false` if no worker works. */
  killOne(): boolean {
    const victim = this.working.find((worker) => worker !== this.spared);
    if (!victim) return false;
    void kill(victim);
    this.kills += 1;
    this.#replace(victim);
    return true;
  }

  /** Replaces workers that failed because the database was down, as systemd does. Throws if one failed for another reason. */
  replaceFailed(): void {
    for (const worker of this.#crew.filter((one) => hasEnded(one) && one.process.exitCode !== 0)) {
      if (!worker.errors.includes('The database cannot be reached')) {
        throw new Error(`a worker failed: ${worker.process.signalCode ?? worker.errors}`);
      }
      this.#replace(worker);
    }
  }

  async end(): Promise<void> {
    for (const worker of this.#crew) worker.process.kill('SIGCONT');
    await Promise.all([...this.#crew.map(dismiss), ...this.#reserve.map(kill)]);
  }

  #replace(worker: Worker): void {
    this.#crew = this.#crew.filter((one) => one !== worker);
    this.#hire();
  }

  #hire(): void {
    this.#reserve.push(this.#start());
    const worker = this.#reserve.shift();
    if (!worker) return;
    worker.begin();
    this.#crew.push(worker);
    this.all.push(worker);
  }
}
