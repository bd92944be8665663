import { SandboxClock } from './clock.ts';
import { Ledger } from './data/ledger.ts';
import { FaultList } from './faults.ts';
import type { LoggedRequest, SandboxOptions } from './sandbox.ts';
import { seed } from './seed.ts';
import { loadState, type Snapshot, type SnapshotInput, saveState } from './snapshot.ts';
import { emptyState, type State } from './state.ts';

const longestLog = 1_000;

/** Data, clock, faults and log of one sandbox. */
export class World {
  readonly clock: SandboxClock;
  readonly faults: FaultList;
  readonly requests: LoggedRequest[] = [];
  readonly #seed: boolean | number;
  #data: { state: State; ledger: Ledger };

  /** @param operationIds - the operations that a fault can name */
  constructor({ seed = true, startAt }: Pick<SandboxOptions, 'seed' | 'startAt'>, operationIds: ReadonlySet<string>) {
    this.clock = new SandboxClock(Date.now, startAt);
    this.faults = new FaultList(operationIds);
    this.#seed = seed;
    this.#data = this.#freshData(seed);
  }

  get state(): State {
    return this.#data.state;
  }

  /** Runs transactions over the present state. */
  get ledger(): Ledger {
    return this.#data.ledger;
  }

  log(entry: LoggedRequest): void {
    this.requests.push(entry);
    if (this.requests.length > longestLog) this.requests.shift();
  }

  reset(size: boolean | number = this.#seed): void {
    this.#data = this.#freshData(size);
    this.faults.clear();
    this.requests.length = 0;
  }

  snapshot(): Snapshot {
    return saveState(this.state, this.clock.save());
  }

  restore(snapshot: SnapshotInput): void {
    const ledger = new Ledger();
    const state = loadState(snapshot, this.state, ledger);
    this.#data = { state, ledger };
    if (snapshot.clock) this.clock.load(snapshot.clock);
  }

  #freshData(size: boolean | number): { state: State; ledger: Ledger } {
    if (typeof size === 'number' && !(Number.isSafeInteger(size) && size >= 0))
      throw new RangeError('seed is true, false or a whole number of records');
    const ledger = new Ledger();
    const state = emptyState(ledger);
    if (size !== false) seed(state, size === true ? 0 : size, this.clock.now());
    return { state, ledger };
  }
}
