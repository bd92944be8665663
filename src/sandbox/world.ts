import { Activity } from './activity.ts';
import { Beginning, type Data, type WorldOptions } from './beginning.ts';
import type { ClockState, SandboxClock } from './clock.ts';
import { type Change, Ledger } from './data/ledger.ts';
import { Table } from './data/table.ts';
import { FaultList, type FaultListener } from './fault-list.ts';
import type { ListedFault } from './faults.ts';
import { NamedSnapshots } from './named-snapshots.ts';
import { maxSeed, optionFields } from './option-fields.ts';
import { deletedRefusal, Refusal } from './refusal.ts';
import { LimitedLog } from './request-log.ts';
import type { Scenario } from './scenario.ts';
import { SharedUse } from './shared-use.ts';
import { atOnce, inSlices, type Steps } from './slices.ts';
import { loadState, type Snapshot, type SnapshotInput, saveState } from './snapshot.ts';
import { partsOf, type SandboxState } from './state.ts';
import type { StoredData, WorldContent } from './stored-world.ts';
import { Workload } from './workload.ts';
import { type WorldLimits, WorldSize } from './world-size.ts';
import type { WorldStore } from './world-store.ts';

/** Milliseconds of use that a process may forget when it is killed. */
const usePrecision = 60_000;
/** A seed creates fewer records than this for each of its size. */
const recordsPerSeed = 4;

/** New data of a world. */
interface NewData extends Data {
  /** The new faults, if they are replaced, too. */
  faults?: readonly ListedFault[];
}

/** Settings of a world beside its options. */
export interface WorldSettings {
  /** Initial data, which this world shares until its first change (default: its own seed). */
  pristine?: Data | undefined;
  /** Keeps the world from its first change on. A world without one is kept already. */
  keeper?: Keeper | undefined;
  limits?: WorldLimits | undefined;
  shared?: SharedUse;
}

/** Keeps worlds that have changed. */
export interface Keeper {
  /** Whether kept worlds are stored. */
  readonly hasStore: boolean;
  /**
   * Keeps a world.
   *
   * @returns its store, which has nothing of the world yet
   * @throws `Refusal` if there are too many worlds
   */
  keep(world: World): WorldStore | undefined;
  /** Undoes `keep` for a world that cannot be stored. */
  release(world: World): void;
}

/** A request would change a world that has to be stored first. The change is undone. */
class UnstoredWorld extends Error {
  override readonly name = 'UnstoredWorld';
}

/** A replacement of all data of a world, to do at once or in slices. */
interface Replacement {
  /** Creates the new data in steps. */
  create(): Steps<NewData>;
  /** The new beginning, if it changes. */
  beginning?: Beginning;
  /** Whether the log starts again. @default false */
  clearsLog?: boolean;
}

/** Data, clock, faults and log of one sandbox. */
export class World {
  readonly activity = new Activity();
  readonly clock: SandboxClock;
  readonly faults: FaultList;
  readonly log = new LimitedLog();
  readonly snapshots: NamedSnapshots;
  readonly shared: SharedUse;
  readonly workload = new Workload();
  /** Requests of this world that wait because of a fault with a delay. */
  readonly waiting = { count: 0 };
  readonly #closing = new AbortController();
  #lastUsed = Date.now();
  /** The last use that is stored. */
  #storedUse = this.#lastUsed;
  readonly #options: WorldOptions;
  #beginning: Beginning;
  readonly #limits: WorldLimits | undefined;
  #keeper: Keeper | undefined;
  /** Whether the data are this world's own, so that it may change them. */
  #isOwn: boolean;
  #data: Data;
  #store: WorldStore | undefined;
  /** The current replacement of all data. */
  #replacing: Promise<void> | undefined;

  constructor(options: WorldOptions, { pristine, keeper, limits, shared = new SharedUse() }: WorldSettings = {}) {
    this.#options = options;
    this.#beginning = new Beginning(options);
    checkSeed(this.#beginning.seed);
    this.#limits = limits;
    this.#keeper = keeper;
    this.shared = shared;
    this.clock = this.#beginning.createClock();
    this.faults = new FaultList(shared);
    this.snapshots = new NamedSnapshots(limits?.characters);
    this.#isOwn = pristine === undefined;
    this.#data = pristine ?? atOnce(this.#beginning.data(this.clock.now()));
    this.faults.load(this.faults.prepare(this.#beginning.faults));
    this.clock.listener = (state) => this.#changeClock(state);
    this.faults.listener = (changes) => this.#changeFaults(changes);
    this.#listen();
  }

  get state(): SandboxState {
    return this.#data.state;
  }

  /** The active scenario. */
  get scenario(): Scenario | undefined {
    return this.#beginning.scenario;
  }

  /** The accepted static API keys, or `undefined` for any. */
  get apiKeys(): readonly string[] | undefined {
    return this.#beginning.apiKeys;
  }

  /** Whether the sandbox keeps the world. Before its first change, it does not. */
  get isKept(): boolean {
    return this.#keeper === undefined;
  }

  /** Time of the last use, in milliseconds of real time. */
  get lastUsed(): number {
    return this.#lastUsed;
  }

  /** Aborts when the world is deleted. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  /** Removes the stored data of the world. */
  deleteStored(): void {
    this.#store?.deleteWorld(this.snapshots.names);
  }

  /**
   * Closes a deleted world. From now on, requests are refused, also those that already wait, and nothing is written.
   */
  close(): void {
    this.#closing.abort(deletedRefusal());
    this.faults.load([]);
    this.#listen();
  }

  /** Notes a use. Stores it at most once a minute, because a read should not have to write. */
  use(): void {
    this.#lastUsed = Date.now();
    if (this.#lastUsed - this.#storedUse >= usePrecision) this.storeLastUse();
  }

  /** Stores the time of the last use. A full disk must not refuse a read, so a later use tries again. */
  storeLastUse(): void {
    if (!this.#store || this.#storedUse === this.#lastUsed) return;
    try {
      this.#store.writeLastUse(this.#lastUsed);
      this.#storedUse = this.#lastUsed;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  /** Runs transactions over the current state. */
  get ledger(): Ledger {
    return this.#data.ledger;
  }

  /**
   * Resolves after the current replacement of all data, which would lose a change. `undefined` if there is no replacement.
   */
  get settled(): Promise<void> | undefined {
    return this.#replacing;
  }

  /**
   * Prepares for a change. A world that has not changed yet gets its own data, and a replacement of all data finishes first.
   * Returns `undefined` if the world is ready.
   */
  prepareChange(): Promise<void> | undefined {
    this.closed.throwIfAborted();
    return this.#isOwn && !this.#replacing ? undefined : this.#prepare();
  }

  async #prepare(): Promise<void> {
    if (!this.#isOwn && !this.#replacing) await this.#replaceInSlices(this.toCopyOf(this.#data), false);
    while (this.#replacing) await this.#replacing;
    this.closed.throwIfAborted();
  }

  /**
   * Does what may be the first change of the world. If the world then has to be stored, the change is undone, the world is stored
   * in slices, and the change is done again.
   */
  async change<Result>(act: () => Result | Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof UnstoredWorld)) throw error;
    }
    while (this.#replacing) await this.#replacing;
    // Another request may have stored it meanwhile.
    if (this.#keeper) await this.replaceInSlices({ create: () => this.#ownData() });
    return act();
  }

  /** Makes the sandbox keep a world that is about to change. Within `change`, it can be called at any time. */
  claim(): void {
    if (this.#keeper?.hasStore) throw new UnstoredWorld('The world is not stored yet.');
    this.#keep();
  }

  /** Makes the sandbox keep the world, and copies shared data at once. */
  own(): void {
    if (this.#keeper || !this.#isOwn) this.replace({ create: () => this.#ownData() });
  }

  /** Returns a replacement that restores the initial data and the faults of the scenario, and clears all other faults and the log. */
  toInitial(seed: boolean | number = this.#beginning.seed): Replacement {
    this.#checkSeed(seed);
    return { create: () => this.#initial(seed), clearsLog: true };
  }

  /** Returns a replacement that starts a scenario, or starts without one. */
  toScenario(scenario: Scenario | undefined): Replacement {
    const beginning = new Beginning({ ...this.#options, scenario });
    this.#checkSeed(beginning.seed);
    return { create: () => this.#begin(beginning), beginning, clearsLog: true };
  }

  /** Returns a replacement with the records of other data. Both share them, because records never change. */
  toCopyOf(data: Data): Replacement {
    return { create: () => copyOf(data, this.clock.save()) };
  }

  /** Returns a replacement that restores a snapshot. */
  toSnapshot(snapshot: SnapshotInput): Replacement {
    return { create: () => this.#load(snapshot) };
  }

  snapshot(): Snapshot {
    return saveState(this.state, this.clock.save());
  }

  /** Replaces all data at once. */
  replace(replacement: Replacement): void {
    const { create, beginning = this.#beginning } = replacement;
    const data = atOnce(create());
    const release = this.#keep();
    try {
      this.#store?.replaceNow(this.#contentOf(data, beginning));
    } catch (error) {
      release();
      throw error;
    }
    this.#apply(data, replacement);
    if (data.faults) this.faults.load(data.faults);
  }

  /** Replaces all data in slices. Changes wait until it is done. */
  replaceInSlices(replacement: Replacement): Promise<void> {
    return this.#replaceInSlices(replacement, true);
  }

  async #replaceInSlices(replacement: Replacement, isStored: boolean): Promise<void> {
    while (this.#replacing) await this.#replacing;
    const replaced = this.#createAndReplace(replacement, isStored);
    // Waiting changes continue, whether it succeeds or fails.
    this.#replacing = replaced
      .catch(() => undefined)
      .then(() => {
        this.#replacing = undefined;
      });
    await replaced;
  }

  /** Replaces the content with stored data. */
  load({ faults, scenario, lastUsed = Date.now(), ...data }: StoredData): void {
    this.#lastUsed = lastUsed;
    this.#storedUse = lastUsed;
    this.#beginning = new Beginning({ ...this.#options, scenario });
    this.adopt(data);
    this.faults.load(faults);
  }

  /** Replaces the data, without storing them. */
  adopt(data: Data): void {
    this.#data.ledger.listener = undefined;
    this.#data = data;
    this.#isOwn = true;
    if (data.clock) this.clock.load(data.clock);
    this.#listen();
  }

  /** From now on, stores every change. */
  keepIn(store: WorldStore): void {
    this.#store = store;
    this.snapshots.store = store;
    this.#listen();
  }

  async #createAndReplace(replacement: Replacement, isStored: boolean): Promise<void> {
    const { create, beginning = this.#beginning } = replacement;
    const data = await inSlices(create());
    if (this.#limits) {
      await inSlices(prepareIndexes(data.state));
      data.ledger.gauge ??= await inSlices(WorldSize.of(data.state, this.#limits));
    }
    const content = this.#contentOf(data, beginning);
    const { clock: stored } = content;
    if (isStored) await this.#storeInSlices(content);
    this.closed.throwIfAborted();
    this.#apply(data, replacement);
    if (data.faults) this.#replaceFaults(data.faults);
    const { frozenAt, ahead } = this.clock.save();
    // The clock was set meanwhile, in this process.
    if (frozenAt !== stored.frozenAt || ahead !== stored.ahead) this.#store?.writeClock({ frozenAt, ahead });
  }

  /** Makes the sandbox keep the world, and stores it in slices. */
  async #storeInSlices(content: WorldContent): Promise<void> {
    const release = this.#keep();
    const store = this.#store;
    try {
      await store?.replace(content);
    } catch (error) {
      if (!store?.isStored) release();
      throw error;
    }
  }

  /** Makes the sandbox keep the world. Returns a function that undoes this. */
  #keep(): () => void {
    this.closed.throwIfAborted();
    const keeper = this.#keeper;
    if (!keeper) return () => {};
    const store = keeper.keep(this);
    this.#keeper = undefined;
    if (store) this.keepIn(store);
    return () => {
      keeper.release(this);
      this.#keeper = keeper;
      this.#store = undefined;
      this.snapshots.store = undefined;
    };
  }

  #apply(data: Data, { beginning = this.#beginning, clearsLog = false }: Replacement): void {
    this.adopt(data);
    this.#beginning = beginning;
    if (clearsLog) this.log.clear();
  }

  /** Listens to changes of the world's own data, for a store, a limit or a keeper. */
  #listen(): void {
    const { ledger } = this.#data;
    if (this.#isOwn && (this.#store || this.#limits || this.#keeper || this.closed.aborted))
      ledger.listener = (changes) => this.#change(changes);
    if (this.#isOwn && this.#limits) ledger.gauge ??= atOnce(WorldSize.ofStored(this.state, this.#limits));
  }

  /** @throws an error that undoes the changes */
  #change(changes: readonly Change[]): void {
    this.closed.throwIfAborted();
    this.claim();
    this.#store?.write(this.state, changes);
  }

  #changeClock(state: ClockState): void {
    this.claim();
    this.#store?.writeClock(state);
  }

  #changeFaults(changes: Parameters<FaultListener>[0]): void {
    this.claim();
    this.#store?.writeFaults(changes);
  }

  #checkSeed(seed: boolean | number): void {
    checkSeed(seed);
    const most = Math.floor((this.#limits?.records ?? Number.POSITIVE_INFINITY) / recordsPerSeed);
    if (typeof seed === 'number' && seed > most)
      throw new RangeError(`seed is at most ${most} here, because a world may have ${this.#limits?.records} records`);
  }

  /**
   * Replaces the faults with those that are stored with new data. A request may have used an old fault while the data were
   * written.
   */
  #replaceFaults(faults: readonly ListedFault[]): void {
    const stored = new Set(faults.map(({ id }) => id));
    const gone = this.faults.list().flatMap(({ id }) => (stored.has(id) ? [] : id));
    this.faults.load(faults);
    if (gone.length > 0) this.#store?.writeFaults([...gone, ...this.faults.list()]);
  }

  #contentOf({ state, clock, faults }: NewData, { scenario }: Beginning): WorldContent {
    const { lastUsed } = this;
    return { state, clock: clock ?? this.clock.save(), faults: faults ?? this.faults.list(), scenario, lastUsed };
  }

  /** Creates the data and the faults after a reset. The faults of the options are for the start only. */
  *#initial(seed: boolean | number): Steps<NewData> {
    const faults = this.faults.prepare(this.scenario?.faults ?? []);
    return { ...(yield* this.#beginning.data(this.clock.now(), seed)), faults };
  }

  *#begin(beginning: Beginning): Steps<NewData> {
    const clock = beginning.createClock();
    const faults = this.faults.prepare(beginning.faults);
    return { ...(yield* beginning.data(clock.now())), clock: clock.save(), faults };
  }

  /** The data, or a copy of shared data. */
  *#ownData(): Steps<Data> {
    const { state, ledger } = this.#data;
    return this.#isOwn ? { state, ledger } : yield* copyOf(this.#data, this.clock.save());
  }

  *#load(snapshot: SnapshotInput): Steps<Data> {
    const ledger = new Ledger();
    const state = yield* loadState(snapshot, this.state, ledger);
    if (snapshot.clock) this.clock.check(snapshot.clock);
    return { state, ledger, clock: snapshot.clock };
  }
}

/** Copies tables, but not their records. */
function* copyOf({ state }: Data, clock: ClockState): Steps<Data> {
  const ledger = new Ledger();
  return { state: yield* loadState(saveState(state, clock), state, ledger), ledger };
}

/** Builds the indexes of large tables, so that no request of a shared sandbox has to. A sandbox for one user should start fast. */
export function* prepareIndexes(state: SandboxState): Steps {
  for (const part of partsOf(state)) if (part instanceof Table) yield* part.prepare();
}

function checkSeed(seed: boolean | number): void {
  if (typeof seed === 'number' && !(Number.isSafeInteger(seed) && seed >= 0 && seed <= maxSeed))
    throw new RangeError(`seed must be ${optionFields.seed.must}`);
}
