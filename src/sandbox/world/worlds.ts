import { defaultMaxWorlds } from '../limits.ts';
import { Refusal } from '../rules/refusal.ts';
import type { SandboxOptions } from '../sandbox.ts';
import type { Store } from '../store/store.ts';
import { emptyData, type WorldOptions } from './beginning.ts';
import { Capacity } from './capacity.ts';
import { Scenarios } from './scenarios/scenarios.ts';
import { StateLoader } from './stored-world.ts';
import { type Keeper, World } from './world.ts';
import { WorldStore } from './world-store.ts';

/** Name of the default world. */
export const defaultWorld = '';

const expiryInterval = 60_000;

/** The options of a sandbox, with the scenario that it starts with. */
type Options = Omit<SandboxOptions, 'scenario'> & WorldOptions;

/**
 * All worlds of a sandbox, by name, and their store. A sandbox keeps a world from its first change on. Before that, the world
 * can be dropped.
 */
export class Worlds {
  readonly most: number;
  readonly scenarios: Scenarios;
  readonly #options: Options;
  readonly #kept = new Map<string, World>();
  /** Worlds that have not changed, the least recently used one first. */
  readonly #unchanged = new Map<string, World>();
  readonly #capacity = new Capacity();
  #lastExpiry = Date.now();

  constructor(options: Options) {
    const { store, maxWorlds = defaultMaxWorlds } = options;
    this.#options = options;
    this.scenarios = new Scenarios(options.scenario);
    this.most = maxWorlds;
    this.#add(defaultWorld, store !== undefined);
    if (store) this.#load(store);
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
    for (const [name, { tokens }] of this.#kept) if (tokens.has(token)) return name;
    return undefined;
  }

  /** The world of a request. */
  forRequest(name: string): World {
    this.#expire();
    const kept = this.#kept.get(name);
    if (kept) return kept;
    const world = this.#unchanged.get(name) ?? this.#create(name);
    this.#unchanged.delete(name);
    this.#unchanged.set(name, world);
    if (this.#unchanged.size > this.most) this.#dropOldest();
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
    const world = this.#unchanged.get(name) ?? this.#create(name);
    world.claim();
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

  close(): void {
    const { store } = this.#options;
    if (!store) return;
    for (const [name, world] of this.#kept) if (name !== defaultWorld) world.storeLastUse();
    store.close();
  }

  /** Adds a kept world, without data if stored data replace them. */
  #add(name: string, isEmpty: boolean): World {
    const world = new World(this.#options, { start: isEmpty ? emptyData() : undefined, capacity: this.#capacity });
    this.#kept.set(name, world);
    return world;
  }

  #create(name: string): World {
    const settings = { keeper: this.#keeper(name), capacity: this.#capacity };
    try {
      return new World(this.#options, settings);
    } catch (error) {
      if (!(error instanceof Refusal) || this.#unchanged.size === 0) throw error;
      // There is no room for its records.
      while (this.#unchanged.size > 0) this.#dropOldest();
      return new World(this.#options, settings);
    }
  }

  /** Drops the world that has not changed and was not used for the longest time. */
  #dropOldest(): void {
    for (const [name, world] of this.#unchanged) {
      this.#unchanged.delete(name);
      world.forget();
      return;
    }
  }

  #keeper(name: string): Keeper {
    return {
      keep: (world) => this.#keep(name, world),
      release: (world) => this.#release(name, world),
    };
  }

  #keep(name: string, world: World): WorldStore | undefined {
    if (this.#isFull) throw tooManyWorlds(this.most);
    this.#kept.set(name, world);
    this.#unchanged.delete(name);
    const { store } = this.#options;
    return store && new WorldStore(store, name);
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

  /** @throws `StoredRecordError` if a record is not valid; the store then stays as it is */
  #load(store: Store): void {
    const areas = new Map<string, { world: string; snapshot: string | undefined; loader: StateLoader }>();
    for (const change of store.read()) {
      const { world, snapshot } = change;
      const name = JSON.stringify([world, snapshot]);
      const area = areas.get(name) ?? { world, snapshot, loader: new StateLoader() };
      areas.set(name, area);
      area.loader.add(change);
    }
    const known = new Set<string>();
    for (const { world: name, snapshot, loader } of areas.values()) {
      const world = this.#kept.get(name) ?? this.#add(name, true);
      if (snapshot !== undefined) {
        world.snapshots.load(snapshot, loader.finishSnapshot());
        continue;
      }
      const stored = loader.finish();
      world.replace(world.toStored(stored));
      world.loadLastUse(stored.lastUsed ?? Date.now());
      known.add(name);
    }
    for (const [name, world] of this.#kept) {
      world.keepIn(new WorldStore(store, name));
      if (!known.has(name)) world.replace(world.toScenario(world.scenario));
    }
  }
}

function tooManyWorlds(most: number): Refusal {
  const message = `This sandbox already has ${most} worlds. Use a known credential or header, or permit more worlds.`;
  return new Refusal({ status: 429, body: { message }, choice: 'too-many-worlds' });
}
