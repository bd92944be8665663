import { productNames } from '../../../generated/products.ts';
import type { Ledger } from '../data/ledger.ts';
import { type SeedSource, seedSource } from '../data/seed-source.ts';
import { Settings } from '../data/settings.ts';
import { Table } from '../data/table.ts';
import { type ProductStates, products } from './products.ts';

/**
 * All data of a sandbox, in tables. A table is a Map of immutable records; `put` replaces a record.
 */
export interface SandboxState extends ProductStates {}

/** Creates a state without records. */
export function emptyState(ledger: Ledger): SandboxState {
  const states = Object.fromEntries(productNames.map((name) => [name, products[name].tables(ledger)]));
  return states as unknown as ProductStates;
}

/** Fills an empty state. */
export function seedState(state: SandboxState, size: number, now: number): void {
  const source = seedSource(size, now);
  for (const name of productNames) seedProduct(products[name], state[name], source);
}

function seedProduct(
  product: { seed(state: never, source: SeedSource): void },
  state: unknown,
  source: SeedSource,
): void {
  // A product and its state have the same name.
  product.seed(state as never, source);
}

/** A table or settings of a state. The name of the part is its location in a snapshot, such as `crm.contacts`. */
export type StatePart = Table<string | number, object> | Settings<object>;

/** All tables and settings of a state. */
export function partsOf(state: SandboxState): StatePart[] {
  const parts: unknown[] = Object.values(state).flatMap((tables) => Object.values(tables));
  return parts.filter((part): part is StatePart => part instanceof Table || part instanceof Settings);
}
