import type { Fault } from '../../faults/faults.ts';
import type { SnapshotInput } from '../snapshots/snapshot.ts';
import type { QuotaOperationId } from './used-up-quotas.ts';

/**
 * A situation that a sandbox begins with, such as an empty account. It is plain JSON, so that a team can keep it in a file and share it.
 *
 * The package has a JSON schema for such files: `dist/scenario.schema.json`.
 *
 * @example
 * ```ts
 * import { createSandbox, type Scenario } from 'carillon-sandbox';
 *
 * const checkout: Scenario = {
 *   name: 'checkout-fails',
 *   description: 'Deals can be read, but not created.',
 *   clock: { startAt: '2026-11-04T12:00:00Z' },
 *   faults: [{ operation: 'createDeal', status: 503, times: 'always' }],
 * };
 * const sandbox = createSandbox({ scenario: checkout });
 * console.log(sandbox.scenario?.name, sandbox.faults.list().length);
 * ```
 */
export interface Scenario {
  /** Path or URL of the JSON schema, for editors. The sandbox ignores it. */
  $schema?: string | undefined;
  /** Name of at most 60 lower-case letters, digits and hyphens. It replaces a built-in scenario with the same name. */
  name: string;
  /** One or two sentences that say what the scenario shows, 500 characters at most. */
  description?: string | undefined;
  /**
   * Initial data, as in the options of the sandbox: `true` for the small data set, `false` for no data, or a number of further
   * records.
   */
  seed?: boolean | number | undefined;
  /** The clock. Without it, the options of the sandbox set the clock. */
  clock?:
    | {
        /** Start time: ISO 8601 in UTC, such as `2026-11-04T12:00:00Z`, or milliseconds since 1970. */
        startAt?: string | number | undefined;
        /** Whether the clock is frozen at its start. */
        isFrozen?: boolean | undefined;
      }
    | undefined;
  /** Faults. A reset restores them. */
  faults?: readonly Fault[] | undefined;
  /** Accepted static API keys. An empty list rejects each one. */
  apiKeys?: readonly string[] | undefined;
  /** Tables that replace those of the seed, as in a snapshot. */
  state?: SnapshotInput['state'] | undefined;
  /** `operationId` of operations whose documented quota is used up at the start. */
  usedUpQuotas?: readonly QuotaOperationId[] | undefined;
}
