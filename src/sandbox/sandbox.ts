import type { ControlOptions } from './control/access.ts';
import type { Fault, Faults } from './faults/faults.ts';
import type { PlainRequest, PlainResponse } from './http/request-and-response.ts';
import type { LoggedRequest } from './log/logged-request.ts';
import type { RequestLog } from './log/request-log.ts';
import type { SandboxState } from './products/state.ts';
import type { Store } from './store/store.ts';
import type { Clock } from './world/clock.ts';
import type { Scenario, ScenarioName } from './world/scenarios/scenario.ts';
import type { Snapshot, SnapshotInput } from './world/snapshots/snapshot.ts';

/**
 * Options of a sandbox. All options can be omitted.
 *
 * @example
 * ```ts
 * import { createSandbox, type SandboxOptions } from 'carillon-sandbox';
 *
 * const options: SandboxOptions = { seed: 1_000, tariff: 'free', startAt: Date.UTC(2026, 10, 4) };
 * const sandbox = createSandbox(options);
 * console.log(sandbox.state.crm.contacts.size);
 * ```
 */
export interface SandboxOptions {
  /**
   * Initial data: `true` for a small realistic data set, `false` for no data, or the number of contacts, emails and other
   * records to add to the small data set, at most 1,000,000. The same seed creates the same data.
   * @default true
   */
  seed?: boolean | number | undefined;
  /**
   * Accepted static API keys, at most five. If omitted, the sandbox accepts any bearer token, except expired access tokens and
   * access tokens that another sandbox issued.
   *
   * Source: CRM document, section 5
   */
  apiKeys?: readonly string[] | undefined;
  /**
   * Accepted client credentials for token requests. If omitted, the sandbox accepts any credentials.
   *
   * Source: CRM document, section 5
   */
  clients?:
    | readonly {
        /** Client ID, compared exactly. */
        clientId: string;
        /** Client secret, compared exactly. */
        clientSecret: string;
      }[]
    | undefined;
  /**
   * Tariff of the account. The `free` tariff does not store descriptions of pipeline steps.
   *
   * Source: CRM document, section 2
   * @default 'paid'
   */
  tariff?: 'paid' | 'free' | undefined;
  /**
   * Currency of the account, as a three-letter code.
   * @default 'EUR'
   */
  currency?: string | undefined;
  /** Start time of the clock, in milliseconds since 1970, before the year 9999 (default: the current time). */
  startAt?: number | undefined;
  /**
   * Scenario with which each world begins: the name of a built-in scenario, or a scenario object. The fields of the scenario
   * replace the options `seed`, `startAt`, `apiKeys` and `faults`.
   */
  scenario?: ScenarioName | Scenario | undefined;
  /**
   * Faults with which each world starts. A reset clears these faults, unless they belong to a `scenario`.
   * @default []
   */
  faults?: readonly Fault[] | undefined;
  /**
   * Enables control requests to paths below `/__sandbox/`. If `true`, the sandbox accepts control requests only for host names
   * of this machine, and not from pages of other origins. Set a `token` if other machines can reach the sandbox.
   * @default false
   */
  control?: boolean | ControlOptions | undefined;
  /**
   * Store that keeps data, clock, snapshots and scenario beyond the lifetime of this sandbox. Stored data replaces the initial
   * data. Faults and the log are not stored. If omitted, the sandbox keeps everything in memory.
   */
  store?: Store | undefined;
  /**
   * Which requests share a world, that is, data, clock, faults and log.
   *
   * - `shared`: all requests share one world.
   * - `credential`: each API key and each OAuth client has its own world.
   * - `{ header }`: each value of a request header has its own world. A request without the header uses the default world.
   * @default 'shared'
   */
  worlds?:
    | 'shared'
    | 'credential'
    | {
        /** Name of the header, such as `x-world`. */
        header: string;
      }
    | undefined;
  /**
   * Rejects fields and parameters that the specs do not describe, except for `ownFields`. If `false`, records that permit
   * undeclared fields keep such fields, and the response header `x-sandbox-ignored` names all other such fields and parameters.
   * @default false
   */
  strict?: boolean | undefined;
  /** Names of the account's own fields at the top level of request bodies. The option `strict` permits these fields. */
  ownFields?: readonly string[] | undefined;
  /**
   * Maximum number of worlds, not counting the default world. A request that would create another world returns status 429.
   * @default 100
   */
  maxWorlds?: number | undefined;
  /**
   * Idle time, in milliseconds, after which a world is deleted (default: never). A restart counts as a use. The default world
   * is never deleted.
   */
  worldsExpireAfter?: number | undefined;
}

/**
 * A stateful simulation of the service in this process.
 *
 * @example
 * ```ts
 * import { createSandbox } from 'carillon-sandbox';
 *
 * const sandbox = createSandbox();
 * const before = sandbox.snapshot();
 * const response = await sandbox.fetch('https://sandbox.example.com/crm/v1/deals/501', {
 *   headers: { authorization: 'Bearer any' },
 * });
 * console.log(response.status, sandbox.requests.length, sandbox.state.crm.deals.size);
 * sandbox.restore(before);
 * ```
 */
export interface Sandbox {
  /**
   * Responds to a request as the service does. Pass this function to a client as `fetch`. The URL can have any origin, but its
   * path must include the base path of the operation. Rejects with {@link DroppedConnection} if a fault drops the connection,
   * and with `signal.reason` if the request is aborted.
   *
   * @param input - a `Request`, or a URL
   * @param init - as for the global `fetch`
   * @returns the response; its header `x-sandbox-request` contains the number of the request in the log, and if the request is
   * rejected, `x-sandbox-rule` names the rule and `x-sandbox-choice` the choice
   */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  /**
   * Responds like `fetch`, for use with MSW and in service workers. If a fault drops the connection or the request is aborted,
   * the promise resolves to `Response.error()`, which MSW and service workers turn into a network error. They would log a
   * rejected promise as a failure of the handler.
   *
   * @param request - the intercepted request
   * @returns the response, or `Response.error()`
   * @example
   * ```ts
   * import { createSandbox } from 'carillon-sandbox';
   * import { http } from 'msw';
   * import { setupServer } from 'msw/node';
   *
   * const sandbox = createSandbox();
   * const server = setupServer(http.all('https://api.example.com/*', ({ request }) => sandbox.handle(request)));
   * server.listen();
   * server.close();
   * ```
   */
  handle(request: Request): Promise<Response>;
  /**
   * Handles a request that a server has read, without creating a `Request` or a `Response`.
   *
   * @internal
   */
  respond(request: PlainRequest): Promise<PlainResponse>;
  /**
   * The data, in tables. A table is a `Map` of immutable records; `put` replaces a record.
   */
  readonly state: SandboxState;
  /** The sandbox's own clock. */
  readonly clock: Clock;
  /** Faults for the next requests. */
  readonly faults: Faults;
  /**
   * The last 1,000 requests, oldest first. The list is shorter if the bodies of these requests and their responses contain more
   * than 8,388,608 characters in total.
   */
  readonly requests: readonly LoggedRequest[];
  /** Finds and clears the logged requests. */
  readonly log: RequestLog;
  /**
   * Restores the initial data, and clears faults and log. Issued tokens stay valid. If a scenario is active, its data and its
   * faults are restored. The clock does not change.
   *
   * @param options - `seed` to use for this reset
   * @throws `RangeError` if an option is unknown or its value is invalid; the sandbox does not change
   */
  reset(options?: Pick<SandboxOptions, 'seed'>): void;
  /** The active scenario of this world, or `undefined`. Restoring a snapshot does not change the active scenario. */
  readonly scenario: Scenario | undefined;
  /**
   * Starts a scenario. The scenario replaces data, clock, faults and accepted keys, and the log is cleared. The options of the
   * sandbox determine everything that the scenario does not set.
   *
   * @param scenario - the name of a built-in scenario, a scenario object, or `undefined` to start without a scenario
   * @throws `RangeError` or `TypeError` if the scenario does not exist or is invalid; the sandbox does not change
   * @example
   * ```ts
   * import { createSandbox } from 'carillon-sandbox';
   *
   * const sandbox = createSandbox({ scenario: 'empty' });
   * sandbox.startScenario('quota-used-up');
   * console.log(sandbox.scenario?.description);
   * sandbox.startScenario(undefined);
   * ```
   */
  startScenario(scenario: ScenarioName | Scenario | undefined): void;
  /**
   * Copies the data and the clock.
   *
   * @returns plain JSON data; later changes to the sandbox do not affect the snapshot
   */
  snapshot(): Snapshot;
  /**
   * Restores a snapshot, or a part of a snapshot. The same snapshot can be restored several times. Faults and log do not
   * change.
   *
   * @param snapshot - a result of `snapshot` from this or another sandbox, even after `JSON.stringify` and `JSON.parse`; tables
   * that the snapshot does not contain do not change
   * @throws `TypeError` or `RangeError` that names the location if the snapshot is invalid; the sandbox does not change
   */
  restore(snapshot: SnapshotInput): void;
  /**
   * Returns a sandbox whose methods and properties apply to another world of this sandbox. Creates the world if it does not
   * exist. The `fetch` of the returned sandbox always uses that world, regardless of credential and header.
   *
   * @param name - name of the world; an empty string means the default world
   * @throws `RangeError` if the name is not a string, or if there are too many worlds
   */
  world(name: string): Sandbox;
  /** Names of the worlds, oldest first. The name of the default world is an empty string. */
  worldNames(): string[];
  /** Releases the store. Call this method last. */
  close(): Promise<void>;
}
