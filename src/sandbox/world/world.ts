import { type Change, Ledger } from '../data/ledger.ts';
import { createTokens, type StoredToken, type Tokens } from '../data/tokens.ts';
import { FaultList } from '../faults/fault-list.ts';
import type { ListedFault } from '../faults/faults.ts';
import { LimitedLog } from '../log/request-log.ts';
import { partsOf, type SandboxState } from '../products/state.ts';
import { Activity } from './activity.ts';
import type { Capacity } from './capacity.ts';
import type { SandboxClock } from './clock.ts';
import { type Data, emptyData, InitialState, type WorldOptions } from './initial-state.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { NamedSnapshots } from './snapshots/named-snapshots.ts';
import { loadState, readSnapshot, type Snapshot, type SnapshotInput, saveState } from './snapshots/snapshot.ts';
import type { StoredData } from './stored/read-worlds.ts';
import type { WorldWriter } from './stored/world-writer.ts';

/** New data of a world, and the other content that changes together with the data. */
interface Replacement extends Data {
  faults?: readonly ListedFault[];
  /** The tokens, if the data come from the store. */
  tokens?: Iterable<StoredToken>;
  initialState?: InitialState;
  /** Whether the log is cleared. @default false */
  clearsLog?: boolean;
  /** Whether the data come from the store and need not be stored again. @default false */
  isStored?: boolean;
}

/** Data, clock, faults and log of one sandbox. */
export class World {
  readonly activity = new Activity();
  readonly clock: SandboxClock;
  readonly faults = new FaultList();
  readonly log = new LimitedLog();
  readonly snapshots: NamedSnapshots;
  isDeleted = false;
  readonly #capacity: Capacity;
  /** Number of records in the data, including tokens. */
  #records = 0;
  /** Time of the last use, in milliseconds of real time. */
  lastUsed = Date.now();
  readonly #options: WorldOptions;
  #initialState: InitialState;
  #data = emptyData();
  #tokens: Tokens = createTokens(this.#data.ledger);
  readonly #store: WorldWriter | undefined;

  /**
   * Creates a world without data. `replace` fills the world.
   *
   * @param capacity - counts and limits the records of all worlds
   * @param store - stores the content of the world
   */
  constructor(options: WorldOptions, capacity: Capacity, store: WorldWriter | undefined) {
    this.#options = options;
    this.#initialState = new InitialState(options);
    this.#capacity = capacity;
    this.#store = store;
    this.snapshots = new NamedSnapshots(capacity, store);
    this.clock = this.#initialState.createClock();
    this.clock.listener = (state) => store?.writeClock(state);
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

  /**
   * Deletes the stored data, and makes room for other worlds. Rejects the operations of requests that are still delayed.
   *
   * @throws `Rejection` if the store fails; the world then continues to exist
   */
  delete(): void {
    this.#store?.deleteWorld(this.snapshots.names);
    this.isDeleted = true;
    this.#data.ledger.listener = undefined;
    this.clock.listener = undefined;
    this.snapshots.clear();
    this.#count(-this.#records);
    this.activity.next();
  }

  /** Returns a replacement that restores the initial data and the faults of the scenario, and clears all other faults and the log. */
  toInitial(seed: boolean | number = this.#initialState.seed): Replacement {
    // The faults in the options apply only to the start.
    const faults = this.faults.prepare(this.scenario?.faults ?? []);
    return { ...this.#initialState.data(this.clock.now(), seed), faults, clearsLog: true };
  }

  /** Returns a replacement that starts a scenario, or starts without a scenario. */
  toScenario(scenario: Scenario | undefined): Replacement {
    const initialState = new InitialState({ ...this.#options, scenario });
    const clock = initialState.createClock();
    const faults = this.faults.prepare(initialState.faults);
    return { ...initialState.data(clock.now()), clock: clock.save(), faults, initialState, clearsLog: true };
  }

  /** Returns a replacement that restores a snapshot. */
  toSnapshot(given: SnapshotInput): Replacement {
    const snapshot = readSnapshot(given);
    const ledger = new Ledger();
    const state = loadState(snapshot, this.state, ledger);
    if (snapshot.clock) this.clock.check(snapshot.clock);
    return { state, ledger, clock: snapshot.clock };
  }

  /** Returns a replacement with stored data. */
  toStored(data: StoredData): Replacement {
    const initialState = new InitialState({ ...this.#options, scenario: data.scenario });
    return { ...data, faults: this.faults.prepare(initialState.faults), initialState, isStored: true };
  }

  snapshot(): Snapshot {
    return saveState(this.state, this.clock.save());
  }

  /**
   * Replaces the data, either completely or not at all. The store receives the new data first.
   *
   * @throws `Rejection` if there are too many records, or if the store fails
   */
  replace({ state, ledger, clock, initialState = this.#initialState, ...more }: Replacement): void {
    const tokens = more.tokens ? createTokens(ledger, more.tokens) : this.#tokensAfter({ ledger, clock });
    const growth = partsOf(state).reduce((sum, part) => sum + part.size, tokens.size) - this.#records;
    if (!more.isStored) {
      this.#capacity.check(growth);
      const { scenario } = initialState;
      this.#store?.replace({ state, tokens: tokens.values(), clock: clock ?? this.clock.save(), scenario });
    }
    this.#data.ledger.listener = undefined;
    this.#data = { state, ledger };
    this.#tokens = tokens;
    this.#initialState = initialState;
    this.#count(growth);
    if (clock) this.clock.load(clock);
    if (more.faults) this.faults.load(more.faults);
    if (more.clearsLog) this.log.clear();
    ledger.listener = (changes) => this.#change(changes);
  }

  /** @throws `Rejection` if there are too many records, or if the store fails; the ledger then undoes the changes */
  #change(changes: readonly Change[]): void {
    const growth = changes.reduce((sum, change) => sum + change.growth, 0);
    this.#capacity.check(growth);
    this.#store?.write(changes);
    this.#count(growth);
  }

  #count(growth: number): void {
    this.#records += growth;
    this.#capacity.add(growth);
  }

  /** Returns the tokens, adjusted to the clock of new data, so that each token keeps its remaining lifetime. */
  #tokensAfter({ ledger, clock }: Pick<Data, 'ledger' | 'clock'>): Tokens {
    const shift = clock ? this.clock.timeOf(clock) - this.clock.now() : 0;
    return createTokens(ledger, this.#tokens.values(), shift);
  }
}
