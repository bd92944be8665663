import { Beginning, type Data, emptyData, type WorldOptions } from './beginning.ts';
import { deletedRefusal, Refusal } from './refusal.ts';
import type { SandboxOptions } from './sandbox.ts';
import { Scenarios } from './scenarios.ts';
import { SharedUse } from './shared-use.ts';
import { inSlices, type Steps } from './slices.ts';
import type { Store, StoredChange } from './store.ts';
import { StateLoader } from './stored-world.ts';
import { type Keeper, prepareIndexes, World, type WorldSettings } from './world.ts';
import type { WorldLimits } from './world-size.ts';
import { WorldStore } from './world-store.ts';

/** Name of the default world. */
export const defaultWorld = '';

/** Default limits of a world in a sandbox with several. */
const usualLimits = { records: 50_000, characters: 32 * 1024 * 1024 };
/** A large seed raises the limits to these numbers for each of its records. */
const recordsPerSeed = 10;
const charactersPerSeed = 5_000;
/** Milliseconds for which new worlds share initial data. Its dates follow the clock, so later worlds need new data. */
const pristineFor = 3_600_000;
const expiryInterval = 60_000;

/** The options of a sandbox, with the scenario that it starts with. */
type Options = Omit<SandboxOptions, 'scenario'> & WorldOptions;

/**
 * All worlds of a sandbox, by name, and their store. A sandbox keeps a world from its first change on. Before that, the world
 * shares the pristine data, and can be dropped.
 */
export class Worlds {
  readonly ready: Promise<void>;
  readonly most: number;
  /** Whether the stored data is loaded. */
  isReady = true;
  readonly scenarios: Scenarios;
  readonly #options: Options;
  readonly #limits: WorldLimits | undefined;
  readonly #kept = new Map<string, World>();
  /** Worlds that have not changed, the least recently used one first. */
  readonly #unchanged = new Map<string, World>();
  readonly #shared: SharedUse;
  #pristine: { data: Promise<Data>; at: number } | undefined;
  #lastExpiry = Date.now();

  constructor(options: Options) {
    const { store, maxWorlds = 100 } = options;
    this.#options = options;
    this.scenarios = new Scenarios(options.scenario);
    this.#limits = limitsOf(options);
    this.#shared = new SharedUse(options.worlds === undefined || options.worlds === 'shared');
    this.most = maxWorlds;
    const main = this.#add(defaultWorld, store !== undefined);
    this.ready = store ? this.#load(store) : this.#prepare(main);
    // Requests wait for it and report the failure.
    this.ready.catch(() => undefined);
  }

  /** Names of the kept worlds. */
  get names(): string[] {
    return [...this.#kept.keys()];
  }

  /** Whether there is no room for another world. The default world always exists, and does not count. */
  get #isFull(): boolean {
    return this.#kept.size - 1 >= this.most;
  }

  /** The world that has issued an access token. */
  ownerOf(token: string): string | undefined {
    for (const [name, { state }] of this.#kept) if (state.tokens.has(token)) return name;
    return undefined;
  }

  /** The world of a request. */
  async forRequest(name: string): Promise<World> {
    this.#expire();
    const kept = this.#kept.get(name);
    if (kept) return kept;
    const pristine = await this.#pristineData();
    const changed = this.#kept.get(name);
    if (changed) return changed;
    const world = this.#unchanged.get(name) ?? new World(this.#options, { ...this.#settings(name), pristine });
    this.#unchanged.delete(name);
    this.#unchanged.set(name, world);
    const [oldest = name] = this.#unchanged.keys();
    if (this.#unchanged.size > this.most) this.#unchanged.delete(oldest);
    return world;
  }

  /**
   * Returns a kept world, and creates it if it does not exist.
   *
   * @throws `Refusal` if there are too many
   */
  create(name: string): World {
    const kept = this.#kept.get(name);
    if (kept) return kept;
    // Stored data may still be loaded.
    if (!this.isReady && !this.#isFull) return this.#add(name, true);
    const world = this.#unchanged.get(name) ?? new World(this.#options, this.#settings(name));
    world.own();
    return world;
  }

  /**
   * Deletes a world and its snapshots. Returns whether it existed.
   *
   * @throws `Refusal` if the store fails; the world then continues
   */
  delete(name: string): boolean {
    const world = this.#kept.get(name) ?? this.#unchanged.get(name);
    if (!world || name === defaultWorld) return false;
    world.deleteStored();
    this.#kept.delete(name);
    this.#unchanged.delete(name);
    world.close();
    return true;
  }

  async close(): Promise<void> {
    const { store } = this.#options;
    if (!store) return;
    await this.ready.catch(() => undefined);
    await Promise.all(Array.from(this.#kept.values(), ({ settled }) => settled));
    for (const [name, world] of this.#kept) if (name !== defaultWorld) world.storeLastUse();
    await store.close();
  }

  /** Adds a kept world, without data if stored data may still be loaded. */
  #add(name: string, isEmpty: boolean): World {
    const { keeper: _, ...settings } = this.#settings(name);
    const world = new World(this.#options, {
      ...settings,
      pristine: isEmpty ? emptyData() : undefined,
    });
    this.#kept.set(name, world);
    return world;
  }

  #settings(name: string): WorldSettings {
    const keeper: Keeper = {
      hasStore: this.#options.store !== undefined,
      keep: (world) => this.#keep(name, world),
      release: (world) => this.#release(name, world),
    };
    return { limits: this.#limits, shared: this.#shared, keeper };
  }

  #keep(name: string, world: World): WorldStore | undefined {
    // Two objects of one world can exist if many others were read meanwhile.
    if (this.#kept.has(name)) throw deletedRefusal();
    if (this.#isFull) throw tooManyWorlds(this.most);
    this.#kept.set(name, world);
    this.#unchanged.delete(name);
    const { store } = this.#options;
    return store && new WorldStore(store, name, world.closed);
  }

  #release(name: string, world: World): void {
    if (world.closed.aborted) return;
    this.#kept.delete(name);
    this.#unchanged.set(name, world);
  }

  /** Deletes the worlds that were not used for `worldsExpireAfter`. */
  #expire(): void {
    const { worldsExpireAfter } = this.#options;
    const now = Date.now();
    if (worldsExpireAfter === undefined || now - this.#lastExpiry < Math.min(expiryInterval, worldsExpireAfter)) return;
    this.#lastExpiry = now;
    const expired = [...this.#kept].filter(([, { lastUsed }]) => now - lastUsed > worldsExpireAfter);
    for (const [name] of expired) {
      try {
        this.delete(name);
      } catch (error) {
        // The store fails. The request belongs to another world, and a later one tries again.
        if (!(error instanceof Refusal)) throw error;
      }
    }
  }

  /** Data that worlds share until they change. */
  #pristineData(): Promise<Data> {
    if (!this.#pristine || Date.now() - this.#pristine.at > pristineFor) {
      const at = Date.now();
      this.#pristine = { data: inSlices(pristineData(new Beginning(this.#options))), at };
    }
    return this.#pristine.data;
  }

  async #load(store: Store): Promise<void> {
    this.isReady = false;
    const areas = new Map<string, { world: string; snapshot: string | undefined; loader: StateLoader }>();
    const add = (change: StoredChange): void => {
      const { world, snapshot } = change;
      const name = JSON.stringify([world, snapshot]);
      const area = areas.get(name) ?? { world, snapshot, loader: new StateLoader() };
      areas.set(name, area);
      area.loader.add(change);
    };
    const stored = store.read();
    // Without an await for each record, a synchronous store loads faster.
    if (Symbol.iterator in stored) for (const change of stored) add(change);
    else for await (const change of stored) add(change);
    const known = new Set<string>();
    for (const { world: name, snapshot, loader } of areas.values()) {
      const world = this.#kept.get(name) ?? this.#add(name, true);
      if (snapshot === undefined) world.load(loader.finish());
      else await world.snapshots.load(snapshot, loader.finishSnapshot());
      if (snapshot === undefined) known.add(name);
    }
    for (const [name, world] of this.#kept) {
      world.keepIn(new WorldStore(store, name, world.closed, known.has(name)));
      if (known.has(name)) continue;
      // The data of the start are made once, also for worlds to come.
      const start = this.#shared.isPrivate
        ? world.toScenario(world.scenario)
        : world.toCopyOf(await this.#pristineData());
      await world.replaceInSlices(start);
    }
    for (const world of this.#kept.values()) await this.#prepare(world);
    this.isReady = true;
  }

  /** Builds indexes before the first request needs them, which would delay other users of a shared sandbox. */
  async #prepare({ state }: World): Promise<void> {
    if (this.#limits) await inSlices(prepareIndexes(state));
  }
}

function* pristineData(beginning: Beginning): Steps<Data> {
  const data = yield* beginning.data(beginning.createClock().now());
  yield* prepareIndexes(data.state);
  return data;
}

/** Returns the limits of a world. A sandbox for one user has no default limits. */
function limitsOf({ worlds, worldLimits, scenario, ...options }: Options): WorldLimits | undefined {
  if ((worlds === undefined || worlds === 'shared') && worldLimits === undefined) return undefined;
  const seed = scenario?.seed ?? options.seed;
  const size = typeof seed === 'number' ? seed : 0;
  const {
    records = Math.max(usualLimits.records, size * recordsPerSeed),
    characters = Math.max(usualLimits.characters, size * charactersPerSeed),
  } = worldLimits ?? {};
  return { records, characters };
}

function tooManyWorlds(most: number): Refusal {
  const message = `This sandbox already has ${most} worlds. Use a known credential or header, or permit more worlds.`;
  return new Refusal({ status: 429, body: { message }, choice: 'too-many-worlds' });
}
