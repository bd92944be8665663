import type { ListedFault } from '../index.ts';
import { button, element } from './dom.ts';
import { FaultForm } from './fault-form.ts';
import type { Panel, PanelHost } from './panel.ts';
import { Rows } from './rows.ts';

export function faultsPanel({ control, act }: PanelHost): Panel {
  const list = element('ul', 'lines');
  list.ariaLabel = 'Faults';
  const empty = element('p', 'muted', 'No faults. For each request, only the first matching fault takes effect.');
  const properties = element('dl', '');
  const form = new FaultForm(() =>
    act(async () => {
      const { id } = await control.send<{ id: number }>('POST', 'faults', form.read());
      return `Fault ${id} added`;
    }),
  );
  const rows = new Rows<ListedFault>(
    list,
    ({ id }) => id,
    (fault) => {
      const remove = async () => {
        await control.send('DELETE', `faults/${fault.id}`);
        return `Fault ${fault.id} removed`;
      };
      return element(
        'li',
        '',
        element('span', 'grow', describe(fault)),
        button('Remove', () => act(remove), `Remove fault ${fault.id}`),
      );
    },
  );
  return {
    title: 'Faults',
    content: element(
      'div',
      '',
      empty,
      list,
      element('h3', '', 'Add a fault'),
      form.content,
      element('details', 'part', element('summary', '', 'All properties of a fault'), properties),
    ),
    async read() {
      const [faults, { operations, faultFields }] = await Promise.all([
        control.send<ListedFault[]>('GET', 'faults'),
        control.about(),
      ]);
      return () => {
        rows.show(faults);
        empty.hidden = faults.length > 0;
        if (properties.childElementCount === 0) {
          form.operations.append(...operations.map((id) => new Option(id, id)));
          for (const [name, about] of Object.entries(faultFields))
            properties.append(element('dt', '', element('code', '', name)), element('dd', '', about));
        }
        return faults.length;
      };
    },
  };
}

function describe({ id, operation, seen: _, times, ...rest }: ListedFault): string {
  const parts = Object.entries(rest).map(
    ([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  const often = times === 'always' ? 'always' : `${times} ×`;
  return `${id}: ${operation ?? 'any operation'}, ${[...parts, often].join(', ')}`;
}
