import type { ControlOptions } from './control/access.ts';
import type { Fault, Faults } from './faults/faults.ts';
import type { PlainRequest, PlainResponse } from './http/request-and-response.ts';
import type { LoggedRequest } from './log/logged-request.ts';
import type { RequestLog } from './log/request-log.ts';
import type { SandboxState } from './products/state.ts';
import type { Store } from './store/store.ts';
import type { Clock } from './world/clock.ts';
import type { Scenario } from './world/scenarios/scenario.ts';
import type { ScenarioName } from './world/scenarios/scenario-names.ts';
import type { Snapshot, SnapshotInput } from './world/snapshots/snapshot.ts';

/**
 * Options of a sandbox. All are optional.
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
   * Initial data: `true` for a small realistic data set, `false` for no data, or a number to add that many contacts,
   * emails and other records to the small data set, 1,000,000 at most. The same seed creates the same data.
   * @default true
   */
  seed?: boolean | number | undefined;
  /**
   * Accepted static API keys, five at most. Without this option, the sandbox accepts any bearer token, except its own tokens
   * that expired or that a reset removed.
   *
   * Source: CRM document, section 5
   */
  apiKeys?: readonly string[] | undefined;
  /**
   * Client credentials that get tokens. Without this option, any credentials do.
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
   * Tariff of the account. The `free` tariff does not store step descriptions.
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
  /** Start time of the clock, in milliseconds since 1970, before the year 9999 (default: the real time). */
  startAt?: number | undefined;
  /**
   * Scenario that each world begins with, as the name of a built-in one or as an object. Its fields apply instead of the options
   * `seed`, `startAt`, `apiKeys` and `faults`.
   */
  scenario?: ScenarioName | Scenario | undefined;
  /**
   * Faults that each world begins with. A reset clears them, unless they were given with a `scenario`.
   * @default []
   */
  faults?: readonly Fault[] | undefined;
  /**
   * Enables the control requests below `/__sandbox/`. `true` accepts them for host names of this machine only, and not
   * from pages of other origins. Give a `token` if other machines can reach the sandbox.
   * @default false
   */
  control?: boolean | ControlOptions | undefined;
  /**
   * Store for data, clock, snapshots and scenario, which outlive this sandbox. Stored data replaces the initial data. Faults and
   * the log are not stored. Without a store, everything is in memory.
   */
  store?: Store | undefined;
  /**
   * Which requests share a world, that is data, clock, faults and log.
   *
   * - `shared`: all requests have one world.
   * - `credential`: each API key and each OAuth client has its own.
   * - `{ header }`: each value of a request header has its own. A request without the header gets the default world.
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
   * Rejects fields and parameters that the specs do not describe, except for `ownFields`. Otherwise, open records keep
   * such fields, and the response header `x-sandbox-ignored` names the others.
   * @default false
   */
  strict?: boolean | undefined;
  /** Names of your account's own fields at the top of request bodies, which `strict` permits. */
  ownFields?: readonly string[] | undefined;
  /**
   * Maximum number of worlds beside the default one. A request that needs one more gets status 429.
   * @default 100
   */
  maxWorlds?: number | undefined;
  /**
   * Milliseconds without use after which a world is deleted (default: never). A restart counts as a use. The default world is
   * never deleted.
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
   * Responds like the service. Pass it to a client as its `fetch`. The origin of the
   * URL does not matter; its path includes the base path of the operation. Rejects with {@link DroppedConnection} if a
   * fault drops the connection, and with `signal.reason` if the request is aborted.
   *
   * @param input - a `Request`, or a URL
   * @param init - as for the global `fetch`
   * @returns the response; `x-sandbox-request` is its number in the log, and a rejection names its rule in `x-sandbox-rule`
   * and its choice in `x-sandbox-choice`
   */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  /**
   * Responds like `fetch`, for MSW and service workers. If a fault drops the connection, or the request is aborted, it resolves
   * to `Response.error()`, which they turn into a network error. They log a rejection as a failure of the handler.
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
   * The last 1,000 requests, oldest first, and fewer if their bodies have more than 8 Mi characters together.
   */
  readonly requests: readonly LoggedRequest[];
  /** Finds and clears the logged requests. */
  readonly log: RequestLog;
  /**
   * Restores the initial data, and clears faults and log. Issued tokens stay valid. With a scenario, it restores the data and the faults of
   * the scenario. The clock does not change.
   *
   * @param options - another seed for this reset
   * @throws `RangeError` if an option is unknown or its value is invalid; the sandbox does not change
   */
  reset(options?: Pick<SandboxOptions, 'seed'>): void;
  /** The active scenario of this world, or `undefined`. Restoring a snapshot does not change it. */
  readonly scenario: Scenario | undefined;
  /**
   * Starts a scenario. It replaces data, clock, faults and accepted keys, and clears the log. Fields that the
   * scenario does not set come from the options of the sandbox.
   *
   * @param scenario - the name of a built-in scenario, your own scenario, or `undefined` to start without one
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
   * @returns plain JSON data; later changes to the sandbox do not affect it
   */
  snapshot(): Snapshot;
  /**
   * Restores a snapshot, or the parts that it contains. You can restore the same snapshot again. Faults and log do not
   * change.
   *
   * @param snapshot - a result of `snapshot`, of this or another sandbox, also after `JSON.stringify` and `JSON.parse`;
   * tables that it does not contain do not change
   * @throws `TypeError` or `RangeError` that names the place if the snapshot is invalid; the sandbox does not change
   */
  restore(snapshot: SnapshotInput): void;
  /**
   * Returns another world of this sandbox, and creates it if it does not exist. Its `fetch` always uses that world,
   * regardless of credential and header.
   *
   * @param name - name of the world; an empty string means the default world
   * @throws `RangeError` if the name is not a string, or if there are too many worlds
   */
  world(name: string): Sandbox;
  /** Names of the worlds, oldest first. The default world is an empty string. */
  worldNames(): string[];
  /** Releases the store. Call it last. */
  close(): Promise<void>;
}
