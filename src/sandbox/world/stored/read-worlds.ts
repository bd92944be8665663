import * as z from 'zod';
import { messageOf } from '../../../shared/message-of.ts';
import { Ledger } from '../../data/ledger.ts';
import { type StoredToken, zStoredToken } from '../../data/tokens.ts';
import { emptyState } from '../../products/state.ts';
import type { Store, StoredChange } from '../../store/store.ts';
import type { ClockState } from '../clock.ts';
import type { Data } from '../initial-state.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { readScenario } from '../scenarios/scenario-fields.ts';
import { loadState, markOwn, type Snapshot, saveState } from '../snapshots/snapshot.ts';
import { checkSnapshot } from '../snapshots/snapshot-schema.ts';
import { storedTables } from './world-writer.ts';

/** Thrown if stored data are damaged, or if this version cannot read them. The store has not changed. */
export class StoredDataError extends Error {
  override readonly name = 'StoredDataError';
}

/** Stored data of a world. */
export interface StoredData extends Data {
  tokens: readonly StoredToken[];
  scenario: Scenario | undefined;
}

/** Stored content of a world. A snapshot of a world can be stored without the world's own data. */
export interface StoredWorld {
  data?: StoredData;
  snapshots: Map<string, Snapshot>;
}

/** Records of a world or a snapshot, in the form of a snapshot. */
interface Area extends Pick<StoredChange, 'world' | 'snapshot'> {
  state: { [product: string]: { [table: string]: unknown } };
  clock?: ClockState;
  scenario?: unknown;
  tokens: unknown[];
}

/**
 * Reads all worlds of a store.
 *
 * @throws `StoredDataError` that names the location if a record is invalid; the store then does not change
 */
export function readWorlds(store: Store): Map<string, StoredWorld> {
  const areas = new Map<string, Area>();
  for (const change of store.read()) {
    const { world, snapshot } = change;
    const name = JSON.stringify([world, snapshot]);
    const area = areas.get(name) ?? { world, snapshot, state: {}, tokens: [] };
    areas.set(name, area);
    addRecord(area, change);
  }
  const worlds = new Map<string, StoredWorld>();
  for (const area of areas.values()) {
    const world: StoredWorld = worlds.get(area.world) ?? { snapshots: new Map() };
    worlds.set(area.world, world);
    const data = dataOf(area);
    if (area.snapshot === undefined) world.data = data;
    else world.snapshots.set(area.snapshot, saveState(data.state, data.clock ?? { frozenAt: undefined, ahead: 0 }));
  }
  return worlds;
}

function addRecord(area: Area, { table = '', key = '', value }: StoredChange): void {
  if (table === storedTables.clock) area.clock = value as ClockState;
  else if (table === storedTables.scenario) area.scenario = value;
  else if (table === storedTables.tokens) area.tokens.push(value);
  else {
    const [product = '', name = ''] = table.split('.');
    area.state[product] ??= {};
    const tables = area.state[product];
    if (name === 'settings') tables.settings = { ...Object(tables.settings), [key]: Object(value).value };
    else if (Array.isArray(tables[name])) tables[name].push(value);
    else tables[name] = [value];
  }
}

function dataOf({ state, clock, scenario, tokens }: Area): StoredData {
  const ledger = new Ledger();
  try {
    checkSnapshot({ state, clock }, 'The stored data are damaged.');
    markOwn(state);
    return {
      state: loadState({ state }, emptyState(ledger), ledger),
      ledger,
      clock,
      scenario: scenario === undefined ? undefined : readScenario(scenario),
      tokens: z.array(zStoredToken).parse(tokens),
    };
  } catch (error) {
    throw new StoredDataError(messageOf(error));
  }
}
