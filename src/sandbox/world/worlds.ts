import { defaultMaxWorlds } from '../limits.ts';
import { Rejection, rejection } from '../rules/rejection.ts';
import type { SandboxOptions } from '../sandbox.ts';
import type { Store } from '../store/store.ts';
import { Capacity } from './capacity.ts';
import type { WorldOptions } from './initial-state.ts';
import { Scenarios } from './scenarios/scenarios.ts';
import { readWorlds, type StoredWorld } from './stored/read-worlds.ts';
import { WorldWriter } from './stored/world-writer.ts';
import { World } from './world.ts';

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

  /** @throws `StoredDataError` if the stored data are damaged; the store then does not change */
  constructor({ scenario, store, maxWorlds = defaultMaxWorlds, worldsExpireAfter, ...options }: SandboxOptions) {
    const initialScenario = scenario === undefined ? undefined : new Scenarios().read(scenario);
    this.#options = { ...options, scenario: initialScenario };
    this.#store = store;
    this.#expireAfter = worldsExpireAfter;
    this.scenarios = new Scenarios(initialScenario);
    this.most = maxWorlds;
    const stored = store ? readWorlds(store) : new Map<string, StoredWorld>();
    this.#add(defaultWorld, stored.get(defaultWorld));
    stored.delete(defaultWorld);
    for (const [name, content] of stored) this.#add(name, content);
  }

  /** Names of the worlds. */
  get names(): string[] {
    return [...this.#worlds.keys()];
  }

  /** Returns the name of the world that issued an access token. */
  ownerOf(token: string): string | undefined {
    for (const [name, { tokens }] of this.#worlds) if (tokens.has(token)) return name;
    return undefined;
  }

  /** Returns the world of a request. Expired worlds are deleted first. */
  forRequest(name: string): World {
    this.#expire();
    return this.get(name);
  }

  /**
   * Returns a world, and creates the world if it does not exist.
   *
   * @throws `Rejection` if there are too many worlds or records, or if the store fails
   */
  get(name: string): World {
    const known = this.#worlds.get(name);
    if (known) return known;
    // The default world does not count.
    if (this.#worlds.size - 1 >= this.most) {
      const message = `There are already ${this.most} worlds. Delete a world, or permit more worlds with the option 'maxWorlds'.`;
      throw rejection(429, message, 'too-many-worlds');
    }
    return this.#add(name);
  }

  /**
   * Deletes a world and its snapshots. Returns whether the world existed.
   *
   * @throws `Rejection` if the store fails; the world then continues to exist
   */
  delete(name: string): boolean {
    const world = this.#worlds.get(name);
    if (!world || name === defaultWorld) return false;
    world.delete();
    this.#worlds.delete(name);
    return true;
  }

  close(): void {
    this.#store?.close();
  }

  /** Adds a world with stored data, if any, and otherwise with its initial data. */
  #add(name: string, { data, snapshots = new Map() }: Partial<StoredWorld> = {}): World {
    const world = new World(this.#options, this.#capacity, this.#store && new WorldWriter(this.#store, name));
    for (const [snapshot, content] of snapshots) world.snapshots.load(snapshot, content);
    world.replace(data ? world.toStored(data) : world.toScenario(this.#options.scenario));
    this.#worlds.set(name, world);
    return world;
  }

  /** Deletes the worlds that have not been used for `worldsExpireAfter`. */
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
        // The store failed. The current request belongs to another world, and a later request tries the deletion again.
        if (!(error instanceof Rejection)) throw error;
      }
    }
  }
}
