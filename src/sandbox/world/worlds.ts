import { defaultMaxWorlds } from '../limits.ts';
import { Rejection } from '../rules/rejection.ts';
import type { SandboxOptions } from '../sandbox.ts';
import type { Store } from '../store/store.ts';
import { Capacity } from './capacity.ts';
import { emptyData, type WorldOptions } from './initial-state.ts';
import { Scenarios } from './scenarios/scenarios.ts';
import { StateLoader } from './stored-world.ts';
import { World, type WorldSettings } from './world.ts';
import { WorldStore } from './world-store.ts';

/** Name of the default world. */
export const defaultWorld = '';

const expiryInterval = 60_000;

/** All worlds of a sandbox, by name, and their store. */
export class Worlds {
  readonly most: number;
  readonly scenarios: Scenarios;
  readonly #options: WorldOptions;
  readonly #store: Store | undefined;
  readonly #expireAfter: number | undefined;
  readonly #worlds = new Map<string, World>();
  readonly #capacity = new Capacity();
  #lastExpiry = Date.now();

  constructor({ scenario, store, maxWorlds = defaultMaxWorlds, worldsExpireAfter, ...options }: SandboxOptions) {
    const initialScenario = scenario === undefined ? undefined : new Scenarios().read(scenario);
    this.#options = { ...options, scenario: initialScenario };
    this.#store = store;
    this.#expireAfter = worldsExpireAfter;
    this.scenarios = new Scenarios(initialScenario);
    this.most = maxWorlds;
    this.#add(defaultWorld, { start: store && emptyData() });
    if (store) this.#load(store);
  }

  /** Names of the worlds. */
  get names(): string[] {
    return [...this.#worlds.keys()];
  }

  /** The world that has issued an access token. */
  ownerOf(token: string): string | undefined {
    for (const [name, { tokens }] of this.#worlds) if (tokens.has(token)) return name;
    return undefined;
  }

  /** The world of a request. Worlds that expired are deleted first. */
  forRequest(name: string): World {
    this.#expire();
    return this.get(name);
  }

  /**
   * Returns a world, and creates it if it does not exist.
   *
   * @throws `Rejection` if there are too many worlds or records, or if the store fails
   */
  get(name: string): World {
    const known = this.#worlds.get(name);
    if (known) return known;
    // The default world does not count.
    if (this.#worlds.size - 1 >= this.most) throw tooManyWorlds(this.most);
    return this.#add(name, { store: this.#store && new WorldStore(this.#store, name) });
  }

  /**
   * Deletes a world and its snapshots. Returns whether it existed.
   *
   * @throws `Rejection` if the store fails; the world then continues
   */
  delete(name: string): boolean {
    const world = this.#worlds.get(name);
    if (!world || name === defaultWorld) return false;
    world.deleteStored();
    this.#worlds.delete(name);
    world.close();
    return true;
  }

  close(): void {
    this.#store?.close();
  }

  #add(name: string, settings: Pick<WorldSettings, 'start' | 'store'>): World {
    const world = new World(this.#options, { ...settings, capacity: this.#capacity });
    this.#worlds.set(name, world);
    return world;
  }

  /** Deletes the worlds that were not used for `worldsExpireAfter`. */
  #expire(): void {
    const longest = this.#expireAfter;
    const now = Date.now();
    if (longest === undefined || now - this.#lastExpiry < Math.min(expiryInterval, longest)) return;
    this.#lastExpiry = now;
    const expired = [...this.#worlds].filter(([, { lastUsed }]) => now - lastUsed > longest);
    for (const [name] of expired) {
      try {
        this.delete(name);
      } catch (error) {
        // The store fails. The request belongs to another world, and a later one tries again.
        if (!(error instanceof Rejection)) throw error;
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
      const world = this.#worlds.get(name) ?? this.#add(name, { start: emptyData() });
      if (snapshot !== undefined) {
        world.snapshots.load(snapshot, loader.finishSnapshot());
        continue;
      }
      world.replace(world.toStored(loader.finish()));
      known.add(name);
    }
    for (const [name, world] of this.#worlds) {
      world.keepIn(new WorldStore(store, name));
      if (!known.has(name)) world.replace(world.toScenario(world.scenario));
    }
  }
}

function tooManyWorlds(most: number): Rejection {
  const message = `There are already ${most} worlds. Delete one, or permit more with maxWorlds.`;
  return new Rejection({ status: 429, body: { message }, choice: 'too-many-worlds' });
}
