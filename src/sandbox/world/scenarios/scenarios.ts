import { didYouMean } from '../../../shared/did-you-mean.ts';
import empty from './empty.json' with { type: 'json' };
import expiredKey from './expired-key.json' with { type: 'json' };
import failing from './failing.json' with { type: 'json' };
import large from './large.json' with { type: 'json' };
import quotaUsedUp from './quota-used-up.json' with { type: 'json' };
import type { Scenario, ScenarioName } from './scenario.ts';
import { readScenario } from './scenario-fields.ts';
import slow from './slow.json' with { type: 'json' };
import unsubscribed from './unsubscribed.json' with { type: 'json' };

const builtIn: { readonly [Name in ScenarioName]: unknown } = {
  empty,
  large,
  'quota-used-up': quotaUsedUp,
  slow,
  failing,
  'expired-key': expiredKey,
  unsubscribed,
};

/** Names of the built-in scenarios. */
export const scenarioNames = Object.keys(builtIn) as readonly ScenarioName[];

type ListedScenario = Pick<Scenario, 'name' | 'description'>;

/** The scenarios of a sandbox: the built-in scenarios, and the scenario with which the sandbox starts. */
export class Scenarios {
  readonly #own: Scenario | undefined;

  constructor(own?: Scenario) {
    this.#own = own;
  }

  /** Names and descriptions. */
  list(): ListedScenario[] {
    const names = new Set<string>([...scenarioNames, ...(this.#own ? [this.#own.name] : [])]);
    return Array.from(names, (name) => {
      const { description } = this.read(name);
      return { name, description };
    });
  }

  /**
   * Returns a scenario, given its name or an object.
   *
   * @throws `RangeError` if the scenario does not exist, or if the object is not a scenario
   */
  read(given: unknown): Scenario {
    if (typeof given !== 'string') return readScenario(given);
    if (this.#own?.name === given) return this.#own;
    if (!isBuiltIn(given)) throw new RangeError(noSuchScenario(given, this.#own));
    return readScenario(builtIn[given]);
  }
}

function isBuiltIn(name: string): name is ScenarioName {
  return Object.hasOwn(builtIn, name);
}

function noSuchScenario(name: string, own: Scenario | undefined): string {
  const names = [...scenarioNames, ...(own ? [own.name] : [])];
  const sentences = [`There is no scenario '${name.slice(0, 100)}'.`, didYouMean(name, names) ?? ''];
  return [...sentences, `The scenarios are ${names.join(', ')}.`].filter(Boolean).join(' ');
}
