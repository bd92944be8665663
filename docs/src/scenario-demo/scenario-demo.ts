import type { Sandbox, ScenarioName } from 'carillon-sandbox';
import type { ContactsApp } from './contacts-app.ts';
import { button, element } from './dom.ts';
import { styles } from './styles.ts';

/** The scenarios to choose from. `none` starts the sandbox without a scenario. */
const choices = ['none', 'empty', 'large', 'quota-used-up', 'slow', 'failing', 'expired-key', 'unsubscribed'] as const;
type Choice = (typeof choices)[number];

const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);

export class ScenarioDemo extends HTMLElement {
  readonly #buttons = new Map<Choice, HTMLButtonElement>();
  readonly #about = Object.assign(element('p', 'about', 'Choose a scenario.'), { role: 'status' });
  readonly #stage = element('div', 'stage');
  #started: { sandbox: Sandbox; App: typeof ContactsApp } | undefined;
  #app: ContactsApp | undefined;

  constructor() {
    super();
    const picker = element('div', 'picker');
    picker.role = 'group';
    picker.ariaLabel = 'Scenario';
    for (const choice of choices) {
      const one = button(choice, () => void this.#choose(choice));
      one.ariaPressed = 'false';
      this.#buttons.set(choice, one);
      picker.append(one);
    }
    this.#stage.hidden = true;
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    root.append(picker, this.#about, this.#stage);
  }

  disconnectedCallback(): void {
    this.#app?.close();
  }

  async #choose(choice: Choice): Promise<void> {
    for (const [name, one] of this.#buttons) one.ariaPressed = String(name === choice);
    try {
      this.#started ??= await this.#start();
    } catch (error) {
      this.#about.textContent = `The demo could not be loaded. ${error instanceof Error ? error.message : error}`;
      return;
    }
    const { sandbox, App } = this.#started;
    // The reader may have chosen another scenario meanwhile.
    if (this.#buttons.get(choice)?.ariaPressed !== 'true') return;
    const scenario: ScenarioName | undefined = choice === 'none' ? undefined : choice;
    sandbox.startScenario(scenario);
    this.#about.textContent = sandbox.scenario?.description ?? 'The small data set, without faults.';
    this.#app?.close();
    this.#app = new App(sandbox.fetch);
    this.#stage.hidden = false;
    this.#stage.replaceChildren(this.#app.content);
  }

  async #start(): Promise<{ sandbox: Sandbox; App: typeof ContactsApp }> {
    this.#about.textContent = 'Loading the sandbox …';
    // Keep zod from compiling its checks, because the page's policy has no 'unsafe-eval'.
    Reflect.set(globalThis, '__zod_globalConfig', { jitless: true });
    const [{ createSandbox }, { ContactsApp: App }] = await Promise.all([
      import('carillon-sandbox'),
      import('./contacts-app.ts'),
    ]);
    return { sandbox: createSandbox(), App };
  }
}
