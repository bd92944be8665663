import type { Fault } from '../../faults/faults.ts';
import type { SnapshotInput } from '../snapshots/snapshot.ts';
import type { QuotaOperationId } from './used-up-quotas.ts';

/** Name of a built-in scenario. */
export type ScenarioName = 'empty' | 'large' | 'quota-used-up' | 'slow' | 'failing' | 'expired-key' | 'unsubscribed';

/**
 * Situation in which a sandbox starts, such as an empty account. A scenario is plain JSON, so that a team can share a scenario
 * as a file.
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
  /** Path or URL of the JSON schema, for editors. The sandbox ignores this field. */
  $schema?: string | undefined;
  /**
   * Name of at most 60 lower-case letters, digits and hyphens. A scenario with the name of a built-in scenario replaces the
   * built-in scenario.
   */
  name: string;
  /** One or two sentences about the scenario, at most 500 characters. */
  description?: string | undefined;
  /**
   * Initial data, as in the options of the sandbox: `true` for the small data set, `false` for no data, or the number of
   * records to add to the small data set.
   */
  seed?: boolean | number | undefined;
  /** State of the clock at the start. If omitted, the options of the sandbox set the clock. */
  clock?:
    | {
        /** Start time: ISO 8601 in UTC, such as `2026-11-04T12:00:00Z`, or milliseconds since 1970. */
        startAt?: string | number | undefined;
        /** Whether the clock is frozen at the start. */
        isFrozen?: boolean | undefined;
      }
    | undefined;
  /** Faults at the start. A reset restores these faults. */
  faults?: readonly Fault[] | undefined;
  /** Accepted static API keys. If the list is empty, every static API key is rejected. */
  apiKeys?: readonly string[] | undefined;
  /** Tables that replace tables in the seed, in the same form as in a snapshot. */
  state?: SnapshotInput['state'] | undefined;
  /** `operationId` of each operation whose documented quota is used up at the start. */
  usedUpQuotas?: readonly QuotaOperationId[] | undefined;
}
