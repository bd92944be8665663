import { SandboxClock } from './clock.ts';
import { type Change, Ledger } from './data/ledger.ts';
import { FaultList } from './fault-list.ts';
import { NamedSnapshots } from './named-snapshots.ts';
import { LimitedLog } from './request-log.ts';
import type { SandboxOptions } from './sandbox.ts';
import { SharedUse } from './shared-use.ts';
import { loadState, type Snapshot, type SnapshotInput, saveState } from './snapshot.ts';
import { emptyState, type SandboxState, seedState } from './state.ts';

/** The largest seed. More records do not fit into the memory of usual machines. */
export const mostRecords = 1_000_000;

/** What a world tells about its data, so that it can be stored. */
export interface WorldListener {
  /** Records have changed. */
  changed(changes: readonly Change[]): void;
  /** All data has been replaced. */
  replaced(): void;
}

/** Data, clock, faults and log of one sandbox. */
export class World {
  readonly clock: SandboxClock;
  readonly faults: FaultList;
  readonly log = new LimitedLog();
  readonly snapshots = new NamedSnapshots();
  readonly shared: SharedUse;
  readonly #seed: boolean | number;
  #data: { state: SandboxState; ledger: Ledger };
  #listener: WorldListener | undefined;

  /** @param isEmpty - whether to begin without data, because stored data may follow */
  constructor(
    { seed = true, startAt }: Pick<SandboxOptions, 'seed' | 'startAt'>,
    isEmpty = false,
    shared = new SharedUse(),
  ) {
    this.clock = new SandboxClock(Date.now, startAt);
    this.shared = shared;
    this.faults = new FaultList(shared);
    this.#seed = seed;
    checkSeed(seed);
    this.#data = this.#freshData(isEmpty ? false : seed);
  }

  get state(): SandboxState {
    return this.#data.state;
  }

  /** Runs transactions over the present state. */
  get ledger(): Ledger {
    return this.#data.ledger;
  }

  reset(size: boolean | number = this.#seed): void {
    this.#replace(this.#freshData(size));
    this.faults.clear();
    this.log.clear();
  }

  snapshot(): Snapshot {
    return saveState(this.state, this.clock.save());
  }

  restore(snapshot: SnapshotInput): void {
    const ledger = new Ledger();
    const state = loadState(snapshot, this.state, ledger);
    if (snapshot.clock) this.clock.load(snapshot.clock);
    this.#replace({ state, ledger });
  }

  /** Replaces the data without telling the listener. */
  adopt(data: { state: SandboxState; ledger: Ledger }): void {
    this.#data = data;
    this.#hear();
  }

  /** From now on, tells a listener about changes. */
  listen(listener: WorldListener): void {
    this.#listener = listener;
    this.#hear();
  }

  #replace(data: { state: SandboxState; ledger: Ledger }): void {
    this.adopt(data);
    this.#listener?.replaced();
  }

  #hear(): void {
    const listener = this.#listener;
    if (!listener) return;
    this.snapshots.listener = (changes) => listener.changed(changes);
    this.#data.ledger.listener = (changes) => listener.changed(changes);
  }

  #freshData(size: boolean | number): { state: SandboxState; ledger: Ledger } {
    checkSeed(size);
    const ledger = new Ledger();
    const state = emptyState(ledger);
    if (size !== false) seedState(state, size === true ? 0 : size, this.clock.now());
    return { state, ledger };
  }
}

function checkSeed(seed: boolean | number): void {
  if (typeof seed === 'number' && !(Number.isSafeInteger(seed) && seed >= 0 && seed <= mostRecords))
    throw new RangeError(`seed is true, false or a whole number of records, ${mostRecords} at most`);
}
