import { type Change, Ledger } from '../data/ledger.ts';
import { createTokens, type StoredToken, type Tokens } from '../data/tokens.ts';
import { FaultList } from '../faults/fault-list.ts';
import type { ListedFault } from '../faults/faults.ts';
import { LimitedLog } from '../log/request-log.ts';
import { partsOf, type SandboxState } from '../products/state.ts';
import { deletedRejection } from '../rules/rejection.ts';
import { Activity } from './activity.ts';
import type { Capacity } from './capacity.ts';
import type { ClockState, SandboxClock } from './clock.ts';
import { type Data, InitialState, type WorldOptions } from './initial-state.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { NamedSnapshots } from './snapshots/named-snapshots.ts';
import { loadState, type Snapshot, type SnapshotInput, saveState } from './snapshots/snapshot.ts';
import type { StoredData, WorldContent } from './stored-world.ts';
import type { WorldStore } from './world-store.ts';

/** New data of a world. */
interface NewData extends Data {
  /** The new faults, if they are replaced, too. */
  faults?: readonly ListedFault[];
  /** The tokens, if they come from the store. */
  tokens?: Iterable<StoredToken>;
}

/** Settings of a world beside its options. */
export interface WorldSettings {
  /** Data of the start (default: those of the initial state). */
  start?: Data | undefined;
  /** Store for its content, which the constructor writes. */
  store?: WorldStore | undefined;
  /** Room for the records of all worlds. */
  capacity: Capacity;
}

/** A replacement of all data of a world. */
interface Replacement {
  data: NewData;
  /** The new initial state, if it changes. */
  initialState?: InitialState;
  /** Whether the log starts again. @default false */
  clearsLog?: boolean;
  /** Whether the data come from the store, which has them already. @default false */
  isStored?: boolean;
}

/** Data, clock, faults and log of one sandbox. */
export class World {
  readonly activity = new Activity();
  readonly clock: SandboxClock;
  readonly faults = new FaultList();
  readonly log = new LimitedLog();
  readonly snapshots: NamedSnapshots;
  readonly #capacity: Capacity;
  /** Records of the data. */
  #records = 0;
  readonly #closing = new AbortController();
  /** Time of the last use, in milliseconds of real time. */
  lastUsed = Date.now();
  readonly #options: WorldOptions;
  #initialState: InitialState;
  #data: Data;
  #tokens: Tokens;
  #store: WorldStore | undefined;

  /** @throws `Rejection` if there is no room, or if the store fails */
  constructor(options: WorldOptions, { start, store, capacity }: WorldSettings) {
    this.#options = options;
    this.#initialState = new InitialState(options);
    this.#capacity = capacity;
    this.snapshots = new NamedSnapshots(capacity);
    this.clock = this.#initialState.createClock();
    this.#data = start ?? this.#initialState.data(this.clock.now());
    this.#tokens = createTokens(this.#data.ledger);
    const records = recordsOf(this.#data);
    capacity.check(records);
    this.faults.load(this.faults.prepare(this.#initialState.faults));
    store?.replace(this.#contentOf(this.#data, this.#initialState));
    if (store) this.keepIn(store);
    this.#count(records);
    this.clock.listener = (state) => this.#changeClock(state);
    this.#listen();
  }

  get state(): SandboxState {
    return this.#data.state;
  }

  /** Issued access tokens. */
  get tokens(): Tokens {
    return this.#tokens;
  }

  /** Runs transactions over the current state. */
  get ledger(): Ledger {
    return this.#data.ledger;
  }

  /** The active scenario. */
  get scenario(): Scenario | undefined {
    return this.#initialState.scenario;
  }

  /** The accepted static API keys, or `undefined` for any. */
  get apiKeys(): readonly string[] | undefined {
    return this.#initialState.apiKeys;
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
   * Closes a deleted world. From now on, requests are rejected, also those that already wait, and nothing is written.
   */
  close(): void {
    this.#closing.abort(deletedRejection());
    this.#store = undefined;
    this.faults.load([]);
    this.snapshots.clear();
    this.#count(-this.#records);
  }

  /** Returns a replacement that restores the initial data and the faults of the scenario, and clears all other faults and the log. */
  toInitial(seed: boolean | number = this.#initialState.seed): Replacement {
    // The faults of the options are for the start only.
    const faults = this.faults.prepare(this.scenario?.faults ?? []);
    return { data: { ...this.#initialState.data(this.clock.now(), seed), faults }, clearsLog: true };
  }

  /** Returns a replacement that starts a scenario, or starts without one. */
  toScenario(scenario: Scenario | undefined): Replacement {
    const initialState = new InitialState({ ...this.#options, scenario });
    const clock = initialState.createClock();
    const faults = this.faults.prepare(initialState.faults);
    return { data: { ...initialState.data(clock.now()), clock: clock.save(), faults }, initialState, clearsLog: true };
  }

  /** Returns a replacement that restores a snapshot. */
  toSnapshot(snapshot: SnapshotInput): Replacement {
    const ledger = new Ledger();
    const state = loadState(snapshot, this.state, ledger);
    if (snapshot.clock) this.clock.check(snapshot.clock);
    return { data: { state, ledger, clock: snapshot.clock } };
  }

  /** Returns a replacement with stored data. */
  toStored({ scenario, ...data }: StoredData): Replacement {
    const initialState = new InitialState({ ...this.#options, scenario });
    return { data: { ...data, faults: this.faults.prepare(initialState.faults) }, initialState, isStored: true };
  }

  snapshot(): Snapshot {
    return saveState(this.state, this.clock.save());
  }

  /** Swaps in new data, wholly or not at all: the store has them first. */
  replace({ data, initialState = this.#initialState, clearsLog = false, isStored = false }: Replacement): void {
    this.closed.throwIfAborted();
    const tokens = data.tokens ? createTokens(data.ledger, data.tokens) : this.#tokensAfter(data);
    const growth = recordsOf(data) + tokens.size - this.#records;
    if (!isStored) {
      this.#capacity.check(growth);
      this.#store?.replace(this.#contentOf({ ...data, tokens: tokens.values() }, initialState));
    }
    this.#data.ledger.listener = undefined;
    this.#data = data;
    this.#tokens = tokens;
    this.#initialState = initialState;
    this.#count(growth);
    if (data.clock) this.clock.load(data.clock);
    if (data.faults) this.faults.load(data.faults);
    if (clearsLog) this.log.clear();
    this.#listen();
  }

  /** From now on, stores every change. */
  keepIn(store: WorldStore): void {
    this.#store = store;
    this.snapshots.store = store;
  }

  #listen(): void {
    this.#data.ledger.listener = (changes) => this.#change(changes);
  }

  /** @throws an error that undoes the changes */
  #change(changes: readonly Change[]): void {
    this.closed.throwIfAborted();
    const growth = changes.reduce((sum, change) => sum + change.growth, 0);
    this.#capacity.check(growth);
    this.#store?.write(changes);
    this.#count(growth);
  }

  #count(growth: number): void {
    this.#records += growth;
    this.#capacity.add(growth);
  }

  #changeClock(state: ClockState): void {
    this.closed.throwIfAborted();
    this.#store?.writeClock(state);
  }

  /** The tokens with the clock of new data, so that each keeps the rest of its life. */
  #tokensAfter({ ledger, clock }: NewData): Tokens {
    const shift = clock ? this.clock.timeOf(clock) - this.clock.now() : 0;
    return createTokens(ledger, this.#tokens.values(), shift);
  }

  #contentOf({ state, clock, tokens = this.#tokens.values() }: NewData, { scenario }: InitialState): WorldContent {
    return { state, tokens, clock: clock ?? this.clock.save(), scenario };
  }
}

function recordsOf({ state }: Data): number {
  return partsOf(state).reduce((sum, part) => sum + part.size, 0);
}
