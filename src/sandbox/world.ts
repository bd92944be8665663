import { SandboxClock } from './clock.ts';
import { copy } from './copy.ts';
import { FaultList } from './fault-list.ts';
import { LimitedLog } from './request-log.ts';
import type { SandboxOptions, Snapshot } from './sandbox.ts';
import { seed } from './seed.ts';
import { emptyState, type State } from './state.ts';

/** The largest seed. More records do not fit into the memory of usual machines. */
export const mostRecords = 1_000_000;

/** Data, clock, faults and log of one sandbox. */
export class World {
  readonly clock: SandboxClock;
  readonly faults: FaultList;
  readonly log = new LimitedLog();
  readonly #seed: boolean | number;
  #state: State;

  constructor({ seed = true, startAt }: Pick<SandboxOptions, 'seed' | 'startAt'>) {
    this.clock = new SandboxClock(Date.now, startAt);
    this.faults = new FaultList();
    this.#seed = seed;
    this.#state = this.#freshState(seed);
  }

  get state(): State {
    return this.#state;
  }

  reset(size: boolean | number = this.#seed): void {
    this.#state = this.#freshState(size);
    this.faults.clear();
    this.log.clear();
  }

  snapshot(): Snapshot {
    return { state: copy(this.#state), clock: this.clock.save() };
  }

  restore({ state, clock }: Snapshot): void {
    this.#state = copy(state);
    this.clock.load(clock);
  }

  #freshState(size: boolean | number): State {
    if (typeof size === 'number' && !(Number.isSafeInteger(size) && size >= 0 && size <= mostRecords))
      throw new RangeError(`seed is true, false or a whole number of records, ${mostRecords} at most`);
    const fresh = emptyState();
    if (size !== false) seed(fresh, size === true ? 0 : size, this.clock.now());
    return fresh;
  }
}
