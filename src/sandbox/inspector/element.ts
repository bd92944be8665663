import { messageOf } from '../../shared/message-of.ts';
import { clockPanel } from './clock.ts';
import { AccessError, Control, UnreachableError } from './control.ts';
import { button, element, labelled, select } from './dom.ts';
import { faultsPanel } from './faults.ts';
import { Follower } from './follower.ts';
import type { InspectedSandbox, InspectorLinks, SandboxInspector } from './interface.ts';
import type { Panel, PanelHost } from './panel.ts';
import { type RecordsPanel, recordsPanel } from './records.ts';
import { requestsPanel } from './requests.ts';
import { scenariosPanel } from './scenarios.ts';
import { snapshotsPanel } from './snapshots.ts';
import { styles } from './styles.ts';
import { Tabs } from './tabs.ts';

const name = 'sandbox-inspector';

/** Returns the class of the element. The class is created on demand, because servers have no `HTMLElement`. */
export function defineInspector(): new () => SandboxInspector {
  const defined = customElements.get(name);
  if (isInspector(defined)) return defined;

  class Inspector extends HTMLElement {
    #sandbox: InspectedSandbox | undefined;
    #links: InspectorLinks = {};
    #isLive = false;
    #place = 'requests';
    #shown: Shown | undefined;
    #leave: AbortController | undefined;

    constructor() {
      super();
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(styles);
      this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet];
    }

    get sandbox(): InspectedSandbox | undefined {
      return this.#sandbox;
    }

    set sandbox(sandbox: InspectedSandbox | undefined) {
      this.#sandbox = sandbox;
      this.#restart();
    }

    get links(): InspectorLinks {
      return this.#links;
    }

    set links(links: InspectorLinks) {
      this.#links = links;
      this.#restart();
    }

    get live(): boolean {
      return this.#isLive;
    }

    set live(isLive: boolean) {
      this.#isLive = isLive;
      this.#restart();
    }

    get place(): string {
      return this.#place;
    }

    set place(place: string) {
      this.#place = place;
      if (this.#shown?.open(place)) void this.#shown.refresh();
    }

    async refresh(): Promise<void> {
      await this.#shown?.readAgain();
    }

    connectedCallback(): void {
      this.#restart();
    }

    disconnectedCallback(): void {
      this.#leave?.abort();
      this.#shown = undefined;
    }

    #restart(): void {
      this.#leave?.abort();
      this.#shown = undefined;
      this.shadowRoot?.replaceChildren();
      if (!this.isConnected || !this.#sandbox) return;
      const leave = new AbortController();
      this.#leave = leave;
      this.#shown = new Shown({
        control: new Control(this.#sandbox),
        links: this.#links,
        isLive: this.#isLive,
        signal: leave.signal,
        wentTo: (place) => {
          this.#place = place;
          this.dispatchEvent(new Event('placechange'));
        },
        unauthorized: () => this.dispatchEvent(new Event('unauthorized')),
      });
      this.shadowRoot?.append(this.#shown.content);
      this.#shown.open(this.#place);
      this.#shown.start();
    }
  }

  customElements.define(name, Inspector);
  return Inspector;
}

/** Whether an element with this name is already registered, perhaps by another copy of the package. */
function isInspector(defined: CustomElementConstructor | undefined): defined is new () => SandboxInspector {
  return defined !== undefined && 'refresh' in defined.prototype;
}

interface Options {
  control: Control;
  links: InspectorLinks;
  isLive: boolean;
  /** Aborts when the element is removed or shows another sandbox. */
  signal: AbortSignal;
  wentTo(place: string): void;
  unauthorized(): void;
}

/** View of one sandbox in the element. */
class Shown {
  readonly content = element('div', 'inspector');
  readonly #options: Options;
  readonly #status = element('p', 'status');
  readonly #world = select({});
  readonly #worldChoice = labelled('World', this.#world, 'world');
  readonly #panels: Readonly<Record<string, Panel>>;
  readonly #records: RecordsPanel;
  readonly #tabs: Tabs;
  readonly #follower: Follower;
  #hasFailed = false;
  /** Number of refreshes. Only the last refresh updates the view, because responses to an earlier refresh may arrive later. */
  #refreshes = 0;

  constructor(options: Options) {
    this.#options = options;
    const { control, links, isLive, signal, wentTo } = options;
    this.#status.role = 'status';
    const host: PanelHost = {
      control,
      links,
      isLive,
      act: (action) => void this.#act(action),
      refresh: () => void this.refresh(),
      go: (place) => {
        this.open(place);
        wentTo(place);
        void this.refresh();
      },
    };
    this.#records = recordsPanel(host);
    this.#panels = {
      requests: requestsPanel(host),
      records: this.#records,
      scenarios: scenariosPanel(host),
      clock: clockPanel(host),
      faults: faultsPanel(host),
      snapshots: snapshotsPanel(host),
    };
    this.#tabs = new Tabs(this.#panels, (chosen) => {
      wentTo(chosen === 'records' ? this.#records.place : chosen);
      void this.refresh();
    });
    this.#worldChoice.hidden = true;
    this.#world.addEventListener('change', () => {
      control.world = this.#world.value;
      void this.refresh();
    });
    this.#follower = new Follower({
      control,
      refresh: () => this.refresh(),
      isLive,
      signal,
    });
    const refresh = button('Refresh', () => void this.readAgain());
    this.content.append(
      element('div', 'head', this.#tabs.list, element('div', 'tools', this.#worldChoice, refresh), this.#status),
      ...this.#tabs.panels,
    );
  }

  /** Shows a panel or a table. Returns `false` if the place does not exist. */
  open(place: string): boolean {
    const isTable = /^[a-z]+\.[a-zA-Z]+$/.test(place);
    if (isTable) this.#records.open(place);
    else if (!Object.hasOwn(this.#panels, place)) return false;
    this.#tabs.choose(isTable ? 'records' : place);
    return true;
  }

  start(): void {
    this.#follower.start();
  }

  /** Refreshes the view, and resumes following the sandbox. */
  async readAgain(): Promise<void> {
    if (await this.refresh()) this.#follower.resume();
  }

  /** Refreshes the view. Returns whether the sandbox responded. */
  async refresh(): Promise<boolean> {
    this.#refreshes += 1;
    const number = this.#refreshes;
    const isLast = () => number === this.#refreshes;
    try {
      // Tabs show the numbers of requests and faults, and the name of the scenario.
      const ids = new Set(['requests', 'scenarios', 'faults', this.#tabs.chosen]);
      await Promise.all([this.#refreshWorlds(isLast), ...[...ids].map((id) => this.#refreshPanel(id, isLast))]);
      if (!isLast()) return true;
      if (this.#hasFailed) this.#say('');
      this.#hasFailed = false;
      return true;
    } catch (error) {
      if (this.#options.signal.aborted) return false;
      if (!isLast()) return true;
      this.#hasFailed = true;
      this.#say(messageOf(error), true);
      if (error instanceof AccessError) this.#options.unauthorized();
      return !(error instanceof AccessError || error instanceof UnreachableError);
    }
  }

  async #refreshPanel(id: string, isLast: () => boolean): Promise<void> {
    const show = await this.#panels[id]?.read();
    if (show && isLast()) this.#tabs.count(id, show());
  }

  async #refreshWorlds(isLast: () => boolean): Promise<void> {
    const names = await this.#options.control.send<string[]>('GET', 'worlds');
    if (!isLast()) return;
    this.#worldChoice.hidden = names.length < 2;
    if ([...this.#world.options].map(({ value }) => value).join('\n') === names.join('\n')) return;
    const chosen = this.#world.value;
    this.#world.replaceChildren(...names.map((world) => new Option(world || 'default', world)));
    this.#world.value = chosen;
  }

  async #act(action: () => Promise<string>): Promise<void> {
    try {
      const text = await action();
      await this.refresh();
      if (!this.#hasFailed) this.#say(text);
      this.#follower.resume();
    } catch (error) {
      this.#say(messageOf(error), true);
    }
  }

  #say(text: string, isBad = false): void {
    this.#status.className = isBad ? 'status bad' : 'status';
    this.#status.textContent = text;
  }
}
