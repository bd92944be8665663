import { Activity } from './activity.ts';
import { type ClockState, SandboxClock } from './clock.ts';
import { type Change, Ledger } from './data/ledger.ts';
import { Table } from './data/table.ts';
import { FaultList, type FaultListener } from './fault-list.ts';
import type { ListedFault } from './faults.ts';
import { NamedSnapshots } from './named-snapshots.ts';
import { LimitedLog } from './request-log.ts';
import type { SandboxOptions } from './sandbox.ts';
import { SharedUse } from './shared-use.ts';
import { atOnce, inSlices, type Steps } from './slices.ts';
import { loadState, type Snapshot, type SnapshotInput, saveState } from './snapshot.ts';
import { emptyState, partsOf, type SandboxState, seedState } from './state.ts';
import { type WorldLimits, WorldSize } from './world-size.ts';
import type { WorldStore } from './world-store.ts';

/** The largest seed. More records do not fit into the memory of usual machines. */
export const mostRecords = 1_000_000;
/** A seed creates fewer records than this for each of its size. */
const recordsPerSeed = 4;

/** Tables, and what runs transactions over them. */
export interface Data {
  state: SandboxState;
  ledger: Ledger;
  /** State of the clock that belongs to the data, if it changes with them. */
  clock?: ClockState | undefined;
}

/** Stored data, and what belongs to them. */
export interface StoredData extends Data {
  faults: readonly ListedFault[];
}

/** What a world needs to know beside its options. */
export interface WorldSettings {
  /** Data to begin with, which this world shares until its first change. Without them, it begins with its seed. */
  pristine?: Data | undefined;
  /** Called before the first change. It throws if this world may not exist. */
  claim?: ((world: World) => void) | undefined;
  limits?: WorldLimits | undefined;
  shared?: SharedUse;
}

/** Data, clock, faults and log of one sandbox. */
export class World {
  readonly activity = new Activity();
  readonly clock: SandboxClock;
  readonly faults: FaultList;
  readonly log = new LimitedLog();
  readonly snapshots: NamedSnapshots;
  readonly shared: SharedUse;
  /** Requests of this world that wait because of a fault with a delay. */
  readonly waiting = { count: 0 };
  /** When it was last used, in milliseconds of real time. */
  lastUsed = Date.now();
  readonly #seed: boolean | number;
  readonly #limits: WorldLimits | undefined;
  #claim: ((world: World) => void) | undefined;
  /** Whether the data are this world's own, so that it may change them. */
  #isOwn: boolean;
  #data: Data;
  #size: WorldSize | undefined;
  #store: WorldStore | undefined;
  /** The replacement of all data that is under way. */
  #replacing: Promise<void> | undefined;

  constructor(
    { seed = true, startAt, faults = [] }: Pick<SandboxOptions, 'seed' | 'startAt' | 'faults'>,
    { pristine, claim, limits, shared = new SharedUse() }: WorldSettings = {},
  ) {
    checkSeed(seed);
    this.#seed = seed;
    this.#limits = limits;
    this.#claim = claim;
    this.shared = shared;
    this.clock = new SandboxClock(Date.now, startAt);
    this.faults = new FaultList(shared);
    this.snapshots = new NamedSnapshots(limits?.characters);
    this.#isOwn = pristine === undefined;
    this.#data = pristine ?? atOnce(freshData(seed, this.clock.now()));
    for (const fault of faults) this.faults.add(fault);
    this.clock.listener = (state) => this.#changeClock(state);
    this.faults.listener = (changes) => this.#changeFaults(changes);
    this.#listen();
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

  /**
   * Prepares for a change: a world that has not changed yet gets data of its own, and a replacement of all data comes first. Returns
   * `undefined` if nothing has to be done.
   */
  prepareChange(): Promise<void> | undefined {
    return this.#isOwn && !this.#replacing ? undefined : this.#prepare();
  }

  async #prepare(): Promise<void> {
    if (!this.#isOwn && !this.#replacing) await this.#replaceInSlices(() => this.#copy(), false);
    while (this.#replacing) await this.#replacing;
  }

  /** Makes a world that has not changed yet one that lasts. */
  claim(): void {
    this.#claim?.(this);
    this.#claim = undefined;
  }

  /** The same for a world that changes at once, without a rest. */
  own(): void {
    this.claim();
    if (!this.#isOwn) this.adopt(atOnce(this.#copy()));
  }

  /** Restores the initial data, and clears faults and log. */
  reset(size: boolean | number = this.#seed): void {
    this.#checkReset(size);
    this.#replace(atOnce(this.#fresh(size)));
    this.#forget();
  }

  /** Does the same in slices. */
  async resetInSlices(size: boolean | number = this.#seed): Promise<void> {
    this.#checkReset(size);
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
  load({ faults, ...data }: StoredData): void {
    this.adopt(data);
    this.faults.load(faults);
  }

  /** Takes over data, without storing them. */
  adopt(data: Data): void {
    this.#data.ledger.listener = undefined;
    this.#data = data;
    this.#isOwn = true;
    this.#size = undefined;
    if (data.clock) this.clock.load(data.clock);
    this.#listen();
  }

  /** From now on, stores every change. */
  keepIn(store: WorldStore): void {
    this.#store = store;
    this.snapshots.store = store;
    this.#listen();
  }

  #replace(data: Data): void {
    this.claim();
    this.#store?.replaceNow(data.state, data.clock ?? this.clock.save(), this.faults.list());
    this.adopt(data);
  }

  async #replaceInSlices(create: () => Steps<Data>, isStored = true): Promise<void> {
    while (this.#replacing) await this.#replacing;
    const replaced = this.#createAndReplace(create, isStored);
    // Those who wait for it go on whether it has succeeded or not.
    this.#replacing = replaced
      .catch(() => undefined)
      .then(() => {
        this.#replacing = undefined;
      });
    await replaced;
  }

  async #createAndReplace(create: () => Steps<Data>, isStored: boolean): Promise<void> {
    const data = await inSlices(create());
    await inSlices(prepareIndexes(data.state));
    const size = this.#limits && (await inSlices(WorldSize.of(data.state, this.#limits)));
    const stored = data.clock ?? this.clock.save();
    if (isStored) {
      this.claim();
      await this.#store?.replace(data.state, stored, this.faults.list());
    }
    this.adopt(data);
    this.#size = size;
    const { frozenAt, ahead } = this.clock.save();
    // A clock that was set meanwhile, in this process.
    if (frozenAt !== stored.frozenAt || ahead !== stored.ahead) this.#store?.writeClock({ frozenAt, ahead });
  }

  #forget(): void {
    this.faults.clear();
    this.log.clear();
  }

  /** Follows the changes of its own data, if somebody needs to know about them. */
  #listen(): void {
    const { ledger } = this.#data;
    if (this.#isOwn && (this.#store || this.#limits || this.#claim))
      ledger.listener = (changes) => this.#change(changes);
  }

  /** @throws an error that undoes the changes */
  #change(changes: readonly Change[]): void {
    const limits = this.#limits;
    const size = limits && (this.#size?.after(changes) ?? atOnce(WorldSize.of(this.state, limits)));
    // What is new is stored as a whole, with the changes.
    if (this.#claim) this.claim();
    else this.#store?.write(this.state, changes);
    this.#size = size;
  }

  #changeClock(state: ClockState): void {
    this.claim();
    this.#store?.writeClock(state);
  }

  #changeFaults(changes: Parameters<FaultListener>[0]): void {
    this.claim();
    this.#store?.writeFaults(changes);
  }

  #checkReset(size: boolean | number): void {
    checkSeed(size);
    const most = Math.floor((this.#limits?.records ?? Number.POSITIVE_INFINITY) / recordsPerSeed);
    if (typeof size === 'number' && size > most)
      throw new RangeError(`seed is at most ${most} here, because a world may have ${this.#limits?.records} records`);
  }

  #fresh(size: boolean | number): Steps<Data> {
    return freshData(size, this.clock.now());
  }

  *#copy(): Steps<Data> {
    const ledger = new Ledger();
    return { state: yield* loadState(this.snapshot(), this.state, ledger), ledger };
  }

  *#load(snapshot: SnapshotInput): Steps<Data> {
    const ledger = new Ledger();
    const state = yield* loadState(snapshot, this.state, ledger);
    if (snapshot.clock) this.clock.check(snapshot.clock);
    return { state, ledger, clock: snapshot.clock };
  }
}

/** Builds the indexes of large tables, so that no request has to. */
export function* prepareIndexes(state: SandboxState): Steps {
  for (const part of partsOf(state)) if (part instanceof Table) yield* part.prepare();
}

/** The initial data. */
export function* freshData(size: boolean | number, now: number): Steps<Data> {
  const ledger = new Ledger();
  const state = emptyState(ledger);
  if (size !== false) yield* seedState(state, size === true ? 0 : size, now);
  return { state, ledger };
}

function checkSeed(seed: boolean | number): void {
  if (typeof seed === 'number' && !(Number.isSafeInteger(seed) && seed >= 0 && seed <= mostRecords))
    throw new RangeError(`seed is true, false or a whole number of records, ${mostRecords} at most`);
}
