import type { Change } from './data/ledger.ts';
import { Settings } from './data/settings.ts';
import type { Table } from './data/table.ts';
import { fullRefusal } from './refusal.ts';
import type { Steps } from './slices.ts';
import { partsOf, type SandboxState } from './state.ts';

/** Limits for the data of one world. */
export interface WorldLimits {
  /** Records in all tables. */
  records: number;
  /** Approximate number of characters of all records as JSON. */
  characters: number;
}

/** Counts the data of a world, and refuses data beyond the limits. */
export class WorldSize {
  readonly #limits: WorldLimits;
  #records: number;
  #size: number;

  private constructor(limits: WorldLimits, records: number, size: number) {
    this.#limits = limits;
    this.#records = records;
    this.#size = size;
  }

  /**
   * Counts all data of a state.
   *
   * @throws `Refusal` if the data exceeds the limits
   */
  static *of(state: SandboxState, limits: WorldLimits): Steps<WorldSize> {
    let records = 0;
    let size = 0;
    for (const part of partsOf(state)) {
      const table = (part instanceof Settings ? part.table : part) as Table<string | number, object>;
      records += table.size;
      for (const record of table.values()) {
        size += sizeOf(record);
        yield;
      }
    }
    check(limits, records, size);
    return new WorldSize(limits, records, size);
  }

  /**
   * The size after changes.
   *
   * @throws `Refusal` if the data would exceed the limits. A change that only removes data is always permitted.
   */
  after(changes: readonly Change[]): WorldSize {
    let [records, size] = [this.#records, this.#size];
    for (const { before, value } of changes) {
      records += (value ? 1 : 0) - (before ? 1 : 0);
      size += sizeOf(value) - sizeOf(before);
    }
    if (records > this.#records || size > this.#size) check(this.#limits, records, size);
    return new WorldSize(this.#limits, records, size);
  }
}

function check(limits: WorldLimits, records: number, size: number): void {
  if (records > limits.records)
    throw fullRefusal(`A world of this sandbox can have ${limits.records} records. Delete some, or reset yours.`);
  if (size > limits.characters)
    throw fullRefusal(
      `The records of a world of this sandbox can take ${limits.characters} characters. Delete some, or reset yours.`,
    );
}

/** Returns the approximate number of characters of plain data as JSON. Counting is far faster than writing. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 4;
  let size = 2;
  if (Array.isArray(value)) {
    for (const item of value) size += sizeOf(item) + 1;
    return size;
  }
  for (const [name, inner] of Object.entries(value)) if (inner !== undefined) size += name.length + 4 + sizeOf(inner);
  return size;
}
