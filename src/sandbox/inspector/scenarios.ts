import type { Scenario } from '../index.ts';
import { button, code, element } from './dom.ts';
import type { Panel, PanelHost } from './panel.ts';
import { Rows } from './rows.ts';

interface Shown {
  active: Scenario | null;
  scenarios: Pick<Scenario, 'name' | 'description'>[];
}

/** A scenario to choose. `null` means no scenario. */
interface Choice {
  name: string | null;
  description: string;
  isActive: boolean;
}

export function scenariosPanel({ control, act }: PanelHost): Panel {
  const list = element('ul', 'lines');
  list.ariaLabel = 'Scenarios';
  const begin = async (scenario: string | null) => {
    await control.send('POST', 'scenario', { scenario });
    return scenario === null ? 'The sandbox has started without a scenario' : `The scenario ${scenario} has started`;
  };
  const rows = new Rows<Choice>(
    list,
    ({ name }) => name ?? '',
    ({ name, description, isActive }) => {
      const title = name ?? 'No scenario';
      const verb = isActive ? 'Start again' : 'Start';
      const row = element(
        'li',
        '',
        element(
          'div',
          'grow',
          element('strong', '', title),
          isActive && ' ',
          isActive && element('span', 'tag', 'active'),
          element('small', 'muted', description),
        ),
        button(verb, () => act(() => begin(name)), `${verb}: ${title}`),
      );
      if (isActive) row.ariaCurrent = 'true';
      return row;
    },
  );
  const shownJson = element('div', '');
  const asJson = element('details', 'part', element('summary', '', 'The active scenario as JSON'), shownJson);
  return {
    title: 'Scenario',
    content: element(
      'div',
      '',
      element(
        'p',
        'muted',
        'Starting a scenario replaces the data, clock, faults and accepted keys, and clears the requests. To keep the current data, take a snapshot first.',
      ),
      list,
      asJson,
    ),
    async read() {
      const { active, scenarios } = await control.send<Shown>('GET', 'scenario');
      return () => {
        rows.show([
          { name: null, description: 'The initial data, without the faults of a scenario.', isActive: active === null },
          ...scenarios.map(({ name, description = '' }) => ({
            name,
            description,
            isActive: name === active?.name,
          })),
        ]);
        asJson.hidden = active === null;
        shownJson.replaceChildren(code(active));
        return active?.name ?? 0;
      };
    },
  };
}
