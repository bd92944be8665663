import type { Scenario } from '../index.ts';
import { button, code, element, input, labelled } from './dom.ts';
import type { Panel, Surroundings } from './panel.ts';
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

export function scenariosPanel({ control, act }: Surroundings): Panel {
  const list = element('ul', 'lines');
  list.ariaLabel = 'Scenarios';
  const send = async (scenario: unknown) => {
    const { active } = await control.send<Shown>('POST', 'scenario', { scenario });
    return active ? `The scenario ${active.name} has begun` : 'The sandbox has begun without a scenario';
  };
  /** The active scenario, if the sandbox does not list it. */
  let sent: Scenario | undefined;
  const rows = new Rows<Choice>(
    list,
    ({ name }) => name ?? '',
    ({ name, description, isActive }) => {
      const title = name ?? 'No scenario';
      const verb = isActive ? 'Begin again' : 'Begin';
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
        button(verb, () => act(() => send(name === sent?.name ? sent : name)), `${verb}: ${title}`),
      );
      if (isActive) row.ariaCurrent = 'true';
      return row;
    },
  );
  const file = Object.assign(input({ type: 'file' }), { accept: '.json,application/json' });
  file.addEventListener('change', () => {
    const [chosen] = file.files ?? [];
    if (chosen) act(async () => send(parse(await chosen.text(), chosen.name)));
    // The same file can be chosen again after a change.
    file.value = '';
  });
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
        'A scenario replaces data, clock, faults and accepted keys, and clears the requests. Take a snapshot first to keep the present data.',
      ),
      list,
      asJson,
      element('h3', '', 'Your own'),
      element('div', 'bar', labelled('Scenario file (JSON)', file)),
    ),
    async read() {
      const { active, scenarios } = await control.send<Shown>('GET', 'scenario');
      return () => {
        const isListed = active === null || scenarios.some(({ name }) => name === active.name);
        if (!isListed) sent = active;
        rows.show([
          { name: null, description: 'The initial data, without faults of a scenario.', isActive: active === null },
          ...[...scenarios, ...(sent ? [sent] : [])].map(({ name, description = '' }) => ({
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

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name} is not JSON`);
  }
}
