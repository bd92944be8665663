import type { Change, Gauge } from './data/ledger.ts';
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

/** Records, and their approximate number of characters as JSON. */
interface Amount {
  records: number;
  characters: number;
}

/** Counts the data of a world at each change, and refuses data beyond the limits. */
export class WorldSize implements Gauge {
  readonly #limits: WorldLimits;
  #committed: Amount;
  /** With the changes of the running transaction. */
  #current: Amount;

  private constructor(limits: WorldLimits, amount: Amount) {
    this.#limits = limits;
    this.#committed = amount;
    this.#current = amount;
  }

  /**
   * Counts all data of a state.
   *
   * @throws `Refusal` if the data exceeds the limits
   */
  static *of(state: SandboxState, limits: WorldLimits): Steps<WorldSize> {
    const size = yield* WorldSize.ofStored(state, limits);
    check(limits, size.#current);
    return size;
  }

  /** Counts data that may exceed the limits, because they were stored with others. */
  static *ofStored(state: SandboxState, limits: WorldLimits): Steps<WorldSize> {
    let [records, characters] = [0, 0];
    for (const part of partsOf(state)) {
      const table = (part instanceof Settings ? part.table : part) as Table<string | number, object>;
      records += table.size;
      for (const record of table.values()) {
        characters += sizeOf(record);
        yield;
      }
    }
    return new WorldSize(limits, { records, characters });
  }

  /** @throws `Refusal` if the data would exceed the limits. A change that only removes data is always permitted. */
  add(before: object | undefined, after: object | undefined): void {
    const records = this.#current.records + (after ? 1 : 0) - (before ? 1 : 0);
    const characters = this.#current.characters + sizeOf(after) - sizeOf(before);
    this.#current = { records, characters };
    const { records: recordsBefore, characters: charactersBefore } = this.#committed;
    if (records > recordsBefore || characters > charactersBefore) check(this.#limits, this.#current);
  }

  changes(): readonly Change[] {
    return [];
  }

  commit(): void {
    this.#committed = this.#current;
  }

  rollBack(): void {
    this.#current = this.#committed;
  }
}

function check(limits: WorldLimits, { records, characters }: Amount): void {
  if (records > limits.records)
    throw fullRefusal(`A world of this sandbox can have ${limits.records} records. Delete some, or reset yours.`);
  if (characters > limits.characters)
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
