import { maxRecords } from '../limits.ts';
import { Rejection } from '../rules/rejection.ts';

/** Counts the records of all worlds of a sandbox and of their snapshots. */
export class Capacity {
  #records = 0;

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
    throw new Rejection({ status: 507, body: { message }, choice: 'too-many-records' });
  }

  /** Counts a change that was made. */
  add(growth: number): void {
    this.#records += growth;
  }
}
