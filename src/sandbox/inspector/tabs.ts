import { element } from './dom.ts';
import type { Panel } from './panel.ts';

/** Tabs. The reader chooses a tab with a click, the arrow keys, Home or End. */
export class Tabs {
  readonly list = element('div', 'tabs');
  readonly panels: HTMLElement[] = [];
  readonly #tabs = new Map<string, { tab: HTMLButtonElement; panel: HTMLElement; title: string }>();
  readonly #choosing: (id: string) => void;

  /** @param choosing - called when the reader chooses a tab */
  constructor(panels: Readonly<Record<string, Panel>>, choosing: (id: string) => void) {
    this.#choosing = choosing;
    this.list.role = 'tablist';
    this.list.ariaLabel = 'Inside the sandbox';
    for (const [id, { title, content }] of Object.entries(panels)) {
      const tab = Object.assign(element('button', 'tab', title), { type: 'button', id: `tab-${id}`, role: 'tab' });
      tab.setAttribute('aria-controls', `panel-${id}`);
      tab.addEventListener('click', () => this.#chosenByReader(id));
      const panel = Object.assign(element('section', 'panel', element('h2', 'unseen', title), content), {
        id: `panel-${id}`,
        role: 'tabpanel',
      });
      panel.setAttribute('aria-labelledby', tab.id);
      this.#tabs.set(id, { tab, panel, title });
      this.list.append(tab);
      this.panels.push(panel);
    }
    this.list.addEventListener('keydown', (event) => this.#move(event));
  }

  get chosen(): string {
    return [...this.#tabs].find(([, { panel }]) => !panel.hidden)?.[0] ?? '';
  }

  choose(chosen: string): void {
    for (const [id, { tab, panel }] of this.#tabs) {
      panel.hidden = id !== chosen;
      tab.ariaSelected = String(id === chosen);
      tab.tabIndex = id === chosen ? 0 : -1;
    }
  }

  /** Shows a number or a name beside the title of a tab. */
  count(id: string, count: number | string | undefined): void {
    const found = this.#tabs.get(id);
    if (!found || count === undefined) return;
    const number = element('span', 'count', String(count));
    found.tab.replaceChildren(found.title, ...(count !== 0 ? [' ', number] : []));
  }

  #chosenByReader(id: string): void {
    this.choose(id);
    this.#choosing(id);
  }

  #move(event: KeyboardEvent): void {
    const ids = [...this.#tabs.keys()];
    const place = ids.indexOf(this.chosen);
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: place - 1,
      ArrowRight: place + 1,
      Home: 0,
      End: ids.length - 1,
    };
    const next = places[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const id = ids.at(next % ids.length) ?? '';
    this.#chosenByReader(id);
    this.#tabs.get(id)?.tab.focus();
  }
}
