import { dismiss, hasEnded, kill, type Worker } from './crew.ts';

/** Number of preloaded workers, so that the next kill does not wait for one to load. */
const reserveSize = 16;

/** A fixed number of workers, with replacements for killed ones. Some kill themselves. */
export class Team {
  /** All workers that ever began. */
  readonly all: Worker[] = [];
  /** Number of workers that killed themselves. */
  selfKills = 0;
  /** A worker that is not killed. */
  #spared: Worker | undefined;
  #isOver = false;
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

  /** Number of processes that were killed, by this team or by themselves. */
  get kills(): number {
    return this.all.filter(({ killedAt }) => killedAt !== undefined).length;
  }

  /** Chooses a working worker that is not killed from now on. */
  spare(): Worker {
    this.#spared = this.working.find(({ isMortal }) => !isMortal);
    if (!this.#spared) throw new Error('no worker works');
    return this.#spared;
  }

  /** Kills and replaces the oldest working worker, if there is one. */
  killOne(): void {
    const victim = this.working.find((worker) => worker !== this.#spared);
    if (!victim) return;
    void kill(victim);
    this.#replace(victim);
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
    this.#isOver = true;
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
    worker.process.once('exit', (_, signal) => {
      if (signal !== 'SIGKILL' || worker.killedAt !== undefined) return;
      worker.killedAt = Date.now();
      this.selfKills += 1;
      if (!this.#isOver) this.#replace(worker);
    });
    this.#crew.push(worker);
    this.all.push(worker);
  }
}
