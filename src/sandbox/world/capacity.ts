import { maxRecords } from '../limits.ts';
import { rejection } from '../rules/rejection.ts';

/** Counts the records of all worlds of a sandbox and of their snapshots. */
export class Capacity {
  #records = 0;

  /** Tests lower this limit. */
  get most(): number {
    return maxRecords;
  }

  /**
   * Checks a change before it is stored. A removal is always permitted.
   *
   * @throws `Rejection` if there are too many records
   */
  check(growth: number): void {
    if (growth <= 0 || this.#records + growth <= this.most) return;
    const message = `A sandbox can have at most ${this.most} records in all its worlds and snapshots. Delete records, or reset with a smaller seed.`;
    throw rejection(507, message, 'too-many-records');
  }

  /** Counts a change that was made. */
  add(growth: number): void {
    this.#records += growth;
  }
}
