import type { ClockState } from './clock.ts';
import { Persistence } from './persistence.ts';
import type { SandboxOptions } from './sandbox.ts';
import { SharedUse } from './shared-use.ts';
import type { Store, StoredChange } from './store.ts';
import { clockChange, rebuildSnapshots, rebuildWorld, WorldLoader } from './stored-world.ts';
import { World } from './world.ts';

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
  readonly #persistence: Persistence | undefined;
  /** Clocks as they were last stored. */
  readonly #clocks = new Map<string, ClockState>();

  constructor(options: SandboxOptions) {
    const { store, maxWorlds = 100 } = options;
    if (!(Number.isSafeInteger(maxWorlds) && maxWorlds > 0))
      throw new RangeError('maxWorlds is a whole number above 0');
    this.#options = options;
    this.most = maxWorlds;
    this.#add(defaultWorld, store !== undefined);
    this.#persistence = store && new Persistence(store, () => this.#rebuild());
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
    if (this.isReady) this.#begin(name, world);
    return world;
  }

  /** Throws if the store has failed, because a change would be lost. */
  checkWritable(): void {
    this.#persistence?.checkWritable();
  }

  /** Resolves once all changes of a world last, also those of its clock. */
  async settle(name: string): Promise<void> {
    if (!this.#persistence) return;
    this.#storeClock(name);
    await this.#persistence.settle();
  }

  async close(): Promise<void> {
    if (!this.#persistence) return;
    await this.ready.catch(() => undefined);
    if (this.isReady) for (const name of this.names) this.#storeClock(name);
    await this.#persistence.close();
  }

  #add(name: string, isEmpty = false): World {
    const world = new World(this.#options, isEmpty, this.#shared);
    this.#worlds.set(name, world);
    return world;
  }

  async #load(store: Store): Promise<void> {
    this.isReady = false;
    const loaders = new Map<string, WorldLoader>();
    const apply = (change: StoredChange): void => {
      const { world: name } = change;
      const loader = loaders.get(name) ?? new WorldLoader(this.#worlds.get(name) ?? this.#add(name, true));
      loaders.set(name, loader);
      loader.apply(change);
    };
    const stored = store.read();
    // Without an await for each change, a store in files loads faster.
    if (Symbol.iterator in stored) for (const change of stored) apply(change);
    else for await (const change of stored) apply(change);
    for (const loader of loaders.values()) loader.finish();
    this.isReady = true;
    for (const [name, world] of this.#worlds) {
      if (loaders.has(name)) this.#listen(name, world);
      else {
        world.reset();
        this.#begin(name, world);
      }
    }
  }

  /** Stores the data of a new world, and listens to it. */
  #begin(name: string, world: World): void {
    this.#listen(name, world);
    this.#persistence?.sendWorld([...rebuildWorld(name, world)]);
  }

  #listen(name: string, world: World): void {
    const persistence = this.#persistence;
    if (!persistence) return;
    this.#clocks.set(name, world.clock.save());
    world.listen({
      changed: (changes) => persistence.write(name, changes),
      replaced: () => persistence.sendWorld([...rebuildWorld(name, world)]),
    });
  }

  #storeClock(name: string): void {
    const state = this.#worlds.get(name)?.clock.save();
    const stored = this.#clocks.get(name);
    if (!state || (state.ahead === stored?.ahead && state.frozenAt === stored.frozenAt)) return;
    this.#clocks.set(name, state);
    this.#persistence?.send([clockChange(name, state)]);
  }

  *#rebuild(): Generator<StoredChange> {
    // Not lazy: the records must be those of this moment.
    const rebuilt = Array.from(this.#worlds, ([name, world]) => [
      rebuildWorld(name, world),
      rebuildSnapshots(name, world),
    ]);
    for (const changes of rebuilt.flat()) yield* changes;
  }
}
