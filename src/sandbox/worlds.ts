import type { SandboxOptions } from './sandbox.ts';
import { SharedUse } from './shared-use.ts';
import type { Store, StoredChange } from './store.ts';
import { StateLoader } from './stored-world.ts';
import { World } from './world.ts';
import { WorldStore } from './world-store.ts';

/** Name of the default world. */
export const defaultWorld = '';

/** All worlds of a sandbox, by name, and their store. */
export class Worlds {
  readonly ready: Promise<void>;
  readonly most: number;
  /** Whether the stored data is loaded. */
  isReady = true;
  readonly #options: SandboxOptions;
  readonly #worlds = new Map<string, World>();
  readonly #shared = new SharedUse();

  constructor(options: SandboxOptions) {
    const { store, maxWorlds = 100 } = options;
    if (!(Number.isSafeInteger(maxWorlds) && maxWorlds > 0))
      throw new RangeError('maxWorlds is a whole number above 0');
    this.#options = options;
    this.most = maxWorlds;
    this.#add(defaultWorld, store !== undefined);
    this.ready = store ? this.#load(store) : Promise.resolve();
    // Requests wait for it and report the failure.
    this.ready.catch(() => undefined);
  }

  get names(): string[] {
    return [...this.#worlds.keys()];
  }

  /** The world that has issued an access token. */
  ownerOf(token: string): string | undefined {
    for (const [name, { state }] of this.#worlds) if (state.tokens.has(token)) return name;
    return undefined;
  }

  /** Returns a world, and creates it if it does not exist. Returns `undefined` if there are too many. */
  get(name: string): World | undefined {
    const known = this.#worlds.get(name);
    if (known || this.#worlds.size >= this.most) return known;
    const world = this.#add(name);
    if (this.#options.store && this.isReady) {
      this.#keep(name, world, this.#options.store);
      world.storeAll();
    }
    return world;
  }

  async close(): Promise<void> {
    const { store } = this.#options;
    if (!store) return;
    await this.ready.catch(() => undefined);
    await Promise.all(Array.from(this.#worlds.values(), ({ settled }) => settled));
    await store.close();
  }

  #add(name: string, isEmpty = false): World {
    const world = new World(this.#options, isEmpty, this.#shared);
    this.#worlds.set(name, world);
    return world;
  }

  #keep(name: string, world: World, store: Store): void {
    world.keepIn(new WorldStore(store, name));
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
      const world = this.#worlds.get(name) ?? this.#add(name, true);
      if (snapshot === undefined) world.adopt(loader.finish());
      else world.snapshots.adopt(snapshot, loader.finishSnapshot());
      if (snapshot === undefined) known.add(name);
    }
    for (const [name, world] of this.#worlds) {
      this.#keep(name, world, store);
      if (!known.has(name)) await world.resetInSlices();
    }
    this.isReady = true;
  }
}
