import { type Product, productNames } from '../../../../generated/products.ts';
import type { Ledger } from '../../data/ledger.ts';
import type { Settings } from '../../data/settings.ts';
import { Table } from '../../data/table.ts';
import { emptyState, partsOf, type SandboxState } from '../../products/state.ts';
import type { ClockState } from '../clock.ts';
import { checkSnapshot, contentOf } from './snapshot-schema.ts';

/** The records of a table, or the settings that differ from their defaults. */
type Saved<Part> =
  Part extends Table<string | number, infer Entry>
    ? readonly Readonly<Entry>[]
    : Part extends Settings<infer Values>
      ? Readonly<Partial<Values>>
      : never;

/** The data of a product, without indexes. */
type SavedProduct<State> = {
  readonly [Name in keyof State as Saved<State[Name]> extends never ? never : Name]: Saved<State[Name]>;
};

/** All data of a sandbox as plain JSON: a list of records for each table. */
export type SavedState = { readonly [Name in Product]: SavedProduct<SandboxState[Name]> };

/** The data and the clock of a sandbox as plain JSON. `snapshot` creates a snapshot, and `restore` restores one. */
export type Snapshot = {
  /** The data. */
  readonly state: SavedState;
  /** State of the clock: its time, and whether it is frozen. */
  readonly clock: ClockState;
};

/** A snapshot, or a part of a snapshot. Missing tables do not change. */
export type SnapshotInput = {
  /** The tables to replace. */
  readonly state?: { readonly [Name in keyof SavedState]?: Partial<SavedState[Name]> };
  /** State of the clock. If omitted, the clock does not change. */
  readonly clock?: ClockState;
};

/** Number of records in a snapshot. */
export function recordsIn({ state = {} }: SnapshotInput = {}): number {
  const parts: unknown[] = Object.values(state).flatMap((tables) => Object.values(tables));
  return parts.reduce((sum: number, part) => sum + (Array.isArray(part) ? part.length : 0), 0);
}

/** States that this process saved. Their data are valid, and their records never change. */
const own = new WeakSet<object>();

/** Marks checked data that only the sandbox can access. Such data are loaded without another check or copy. */
export function markOwn(state: object): void {
  own.add(state);
}

/** Saves data and clock. This copies only references, because records never change. */
export function saveState(state: SandboxState, clock: ClockState): Snapshot {
  const saved: { [product: string]: object } = {};
  for (const part of partsOf(state)) {
    const [product = '', name = ''] = part.name.split('.');
    saved[product] = { ...saved[product], [name]: part.save() };
  }
  markOwn(saved);
  // The parts have the names that the type declares.
  return { state: saved as SavedState, clock };
}

/**
 * Checks a snapshot that a caller passed, and copies the snapshot, because the caller could change it later. A snapshot from
 * `saveState` is returned unchanged.
 *
 * @throws `TypeError` that names the location if the snapshot is invalid
 */
export function readSnapshot(given: SnapshotInput): SnapshotInput {
  // A caller without types may pass anything.
  const isOwn = own.has(Object(Object(given).state));
  if (!isOwn) checkSnapshot(given);
  return isOwn ? given : JSON.parse(JSON.stringify(given));
}

/**
 * Creates a state from a checked snapshot.
 *
 * @param present - state with the tables that the snapshot does not contain
 * @throws `RangeError` that names the location if two records have the same key, or if an ID is too high
 */
export function loadState({ state: given = {} }: SnapshotInput, present: SandboxState, ledger: Ledger): SandboxState {
  const state = emptyState(ledger);
  const before = partsOf(present);
  for (const [index, part] of partsOf(state).entries()) {
    const content = contentOf(given, part.name) ?? before[index]?.save();
    part.load(content as never);
    if (Array.isArray(content) && part.size < content.length)
      throw new RangeError(`state.${part.name}: two records have the same key`);
  }
  if (!own.has(given)) raiseCounters(state);
  return state;
}

/** Raises the counters of new IDs above all IDs in use, because a snapshot written by hand may lack counters. */
function raiseCounters(state: SandboxState): void {
  for (const name of productNames) {
    const { settings, ...parts }: { settings: Settings<{ nextId: number }> } = state[name];
    const highest = Math.max(...Object.values(parts).map((part) => (part instanceof Table ? part.highestId() : 0)));
    if (settings.get('nextId') <= highest) settings.set('nextId', highest + 1);
    if (settings.get('nextId') > highestId)
      throw new RangeError(`state.${settings.name}: IDs must be at most ${highestId}, so that new IDs stay unique`);
  }
}

/** Highest permitted ID in a snapshot. It leaves room for a billion new IDs. */
const highestId = Number.MAX_SAFE_INTEGER - 1_000_000_000;
