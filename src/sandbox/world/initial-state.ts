import { Ledger } from '../data/ledger.ts';
import type { Fault } from '../faults/faults.ts';
import { emptyState, type SandboxState, seedState } from '../products/state.ts';
import type { SandboxOptions } from '../sandbox.ts';
import { type ClockState, SandboxClock } from './clock.ts';
import type { Scenario } from './scenarios/scenario.ts';
import { useUpQuotas } from './scenarios/used-up-quotas.ts';
import { loadState } from './snapshots/snapshot.ts';

/** Options for the initial state of a world. */
export interface WorldOptions extends Pick<SandboxOptions, 'seed' | 'startAt' | 'faults' | 'apiKeys'> {
  /** Scenario to start with. */
  scenario?: Scenario | undefined;
}

/** Tables, and the ledger that runs transactions over them. */
export interface Data {
  state: SandboxState;
  ledger: Ledger;
  /** State of the clock to set together with the data. If omitted, the clock does not change. */
  clock?: ClockState | undefined;
}

/** Initial state of a world, from its scenario, or otherwise from the options of the sandbox. */
export class InitialState {
  readonly scenario: Scenario | undefined;
  readonly seed: boolean | number;
  readonly faults: readonly Fault[];
  readonly apiKeys: readonly string[] | undefined;
  readonly #startAt: number | undefined;

  constructor({ scenario, ...options }: WorldOptions) {
    this.scenario = scenario;
    this.seed = scenario?.seed ?? options.seed ?? true;
    this.faults = scenario?.faults ?? options.faults ?? [];
    this.apiKeys = scenario?.apiKeys ?? options.apiKeys;
    const startAt = scenario?.clock?.startAt;
    this.#startAt = startAt === undefined ? options.startAt : new Date(startAt).getTime();
  }

  /** Creates a clock at the start time. */
  createClock(): SandboxClock {
    const clock = new SandboxClock(Date.now, this.#startAt);
    // A millisecond may have passed since the clock was created.
    if (this.scenario?.clock?.isFrozen) clock.freeze(this.#startAt);
    return clock;
  }

  /** Creates the initial data. */
  data(now: number, seed = this.seed): Data {
    const { state: tables, usedUpQuotas = [] } = this.scenario ?? {};
    let data = emptyData();
    if (seed !== false) seedState(data.state, seed === true ? 0 : seed, now);
    if (tables) {
      const ledger = new Ledger();
      data = { state: loadState({ state: tables }, data.state, ledger), ledger };
    }
    useUpQuotas(data.state, usedUpQuotas, now);
    return data;
  }
}

export function emptyData(): Data {
  const ledger = new Ledger();
  return { state: emptyState(ledger), ledger };
}
