import { type ClockState, SandboxClock } from './clock.ts';
import { Ledger } from './data/ledger.ts';
import type { Fault } from './faults.ts';
import type { SandboxOptions } from './sandbox.ts';
import type { Scenario } from './scenario.ts';
import type { Steps } from './slices.ts';
import { loadState } from './snapshot.ts';
import { emptyState, type SandboxState, seedState } from './state.ts';
import { useUpQuotas } from './used-up-quotas.ts';

/** The options that say how a world begins. */
export interface WorldOptions extends Pick<SandboxOptions, 'seed' | 'startAt' | 'faults' | 'apiKeys'> {
  /** The scenario that it starts with. */
  scenario?: Scenario | undefined;
}

/** Tables, and what runs transactions over them. */
export interface Data {
  state: SandboxState;
  ledger: Ledger;
  /** State of the clock that belongs to the data, if it changes with them. */
  clock?: ClockState | undefined;
}

/** How a world begins: as its scenario says, and otherwise as the options of the sandbox say. */
export class Beginning {
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

  /** A new clock at the start. */
  createClock(): SandboxClock {
    const clock = new SandboxClock(Date.now, this.#startAt);
    if (this.scenario?.clock?.isFrozen) clock.freeze();
    return clock;
  }

  /** The initial data. */
  *data(now: number, seed = this.seed): Steps<Data> {
    const { state: tables, usedUpQuotas = [] } = this.scenario ?? {};
    let data = emptyData();
    if (seed !== false) yield* seedState(data.state, seed === true ? 0 : seed, now);
    if (tables) {
      const ledger = new Ledger();
      data = { state: yield* loadState({ state: tables }, data.state, ledger), ledger };
    }
    useUpQuotas(data.state, usedUpQuotas, now);
    return data;
  }
}

export function emptyData(): Data {
  const ledger = new Ledger();
  return { state: emptyState(ledger), ledger };
}
