import { type ClockState, SandboxClock } from './clock.ts';
import { Ledger } from './data/ledger.ts';
import { FaultList } from './fault-list.ts';
import { NamedSnapshots } from './named-snapshots.ts';
import { LimitedLog } from './request-log.ts';
import type { SandboxOptions } from './sandbox.ts';
import { SharedUse } from './shared-use.ts';
import { atOnce, inSlices, type Steps } from './slices.ts';
import { loadState, type Snapshot, type SnapshotInput, saveState } from './snapshot.ts';
import { emptyState, type SandboxState, seedState } from './state.ts';
import type { WorldStore } from './world-store.ts';

/** The largest seed. More records do not fit into the memory of usual machines. */
export const mostRecords = 1_000_000;

/** Tables, and what runs transactions over them. */
interface Data {
  state: SandboxState;
  ledger: Ledger;
  /** State of the clock that belongs to the data, if it changes with them. */
  clock?: ClockState | undefined;
}

/** Data, clock, faults and log of one sandbox. */
export class World {
  readonly clock: SandboxClock;
  readonly faults: FaultList;
  readonly log = new LimitedLog();
  readonly snapshots = new NamedSnapshots();
  readonly shared: SharedUse;
  readonly #seed: boolean | number;
  #data: Data;
  #store: WorldStore | undefined;
  /** The replacement of all data that is under way. */
  #replacing: Promise<void> | undefined;

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
    this.#data = atOnce(this.#fresh(isEmpty ? false : seed));
  }

  get state(): SandboxState {
    return this.#data.state;
  }

  /** Runs transactions over the present state. */
  get ledger(): Ledger {
    return this.#data.ledger;
  }

  /** Resolves once all data are no longer being replaced. A change in between would be lost. Absent if they are not. */
  get settled(): Promise<void> | undefined {
    return this.#replacing;
  }

  /** Restores the initial data, and clears faults and log. */
  reset(size: boolean | number = this.#seed): void {
    this.#replace(atOnce(this.#fresh(size)));
    this.#forget();
  }

  /** Does the same in slices. */
  async resetInSlices(size: boolean | number = this.#seed): Promise<void> {
    checkSeed(size);
    await this.#replaceInSlices(() => this.#fresh(size));
    this.#forget();
  }

  snapshot(): Snapshot {
    return saveState(this.state, this.clock.save());
  }

  restore(snapshot: SnapshotInput): void {
    this.#replace(atOnce(this.#load(snapshot)));
  }

  /** Does the same in slices. */
  restoreInSlices(snapshot: SnapshotInput): Promise<void> {
    return this.#replaceInSlices(() => this.#load(snapshot));
  }

  /** Takes over stored data. */
  adopt(data: Data): void {
    if (this.#store) this.#data.ledger.listener = undefined;
    this.#data = data;
    if (data.clock) this.clock.load(data.clock);
    this.#listen();
  }

  /** From now on, stores every change. */
  keepIn(store: WorldStore): void {
    this.#store = store;
    this.#listen();
    this.clock.listener = (state) => store.writeClock(state);
    this.snapshots.store = store;
  }

  /** Stores all data, in place of what is stored of this world. */
  storeAll(): void {
    this.#store?.replaceNow(this.state, this.clock.save());
  }

  #replace(data: Data): void {
    this.#store?.replaceNow(data.state, data.clock ?? this.clock.save());
    this.adopt(data);
  }

  async #replaceInSlices(create: () => Steps<Data>): Promise<void> {
    while (this.#replacing) await this.#replacing;
    const replaced = this.#createAndReplace(create);
    // Those who wait for it go on whether it has succeeded or not.
    this.#replacing = replaced
      .then(undefined, () => undefined)
      .then(() => {
        this.#replacing = undefined;
      });
    await replaced;
  }

  async #createAndReplace(create: () => Steps<Data>): Promise<void> {
    const data = await inSlices(create());
    const stored = data.clock ?? this.clock.save();
    await this.#store?.replace(data.state, stored);
    this.adopt(data);
    const { frozenAt, ahead } = this.clock.save();
    // A clock that was set meanwhile, in this process.
    if (frozenAt !== stored.frozenAt || ahead !== stored.ahead) this.#store?.writeClock({ frozenAt, ahead });
  }

  #forget(): void {
    this.faults.clear();
    this.log.clear();
  }

  #listen(): void {
    const { ledger, state } = this.#data;
    const store = this.#store;
    if (store) ledger.listener = (changes) => store.write(state, changes);
  }

  *#fresh(size: boolean | number): Steps<Data> {
    checkSeed(size);
    const ledger = new Ledger();
    const state = emptyState(ledger);
    if (size !== false) yield* seedState(state, size === true ? 0 : size, this.clock.now());
    return { state, ledger };
  }

  *#load(snapshot: SnapshotInput): Steps<Data> {
    const ledger = new Ledger();
    const state = yield* loadState(snapshot, this.state, ledger);
    if (snapshot.clock) this.clock.check(snapshot.clock);
    return { state, ledger, clock: snapshot.clock };
  }
}

function checkSeed(seed: boolean | number): void {
  if (typeof seed === 'number' && !(Number.isSafeInteger(seed) && seed >= 0 && seed <= mostRecords))
    throw new RangeError(`seed is true, false or a whole number of records, ${mostRecords} at most`);
}
