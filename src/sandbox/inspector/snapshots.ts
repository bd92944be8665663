import { button, element, input, labelled } from './dom.ts';
import type { Panel, PanelHost } from './panel.ts';
import { Rows } from './rows.ts';

export function snapshotsPanel({ control, act }: PanelHost): Panel {
  const list = element('ul', 'lines');
  list.ariaLabel = 'Snapshots';
  const empty = element('p', 'muted', 'No snapshots.');
  const rows = new Rows<string>(
    list,
    (name) => name,
    (name) => {
      const restore = async () => {
        await control.send('POST', `${pathOf(name)}/restore`);
        return `Snapshot ${name} restored`;
      };
      const remove = async () => {
        await control.send('DELETE', pathOf(name));
        return `Snapshot ${name} deleted`;
      };
      return element(
        'li',
        '',
        element('span', 'grow', name),
        button('Restore', () => act(restore), `Restore ${name}`),
        button('Delete', () => act(remove), `Delete ${name}`),
      );
    },
  );
  const nameField = Object.assign(input({ required: true }), { maxLength: 100 });
  const take = element('form', 'bar', labelled('Name', nameField, 'grow'), element('button', '', 'Take snapshot'));
  take.addEventListener('submit', (event) => {
    event.preventDefault();
    const name = nameField.value.trim();
    act(async () => {
      await control.send('PUT', pathOf(name));
      nameField.value = '';
      return `Snapshot ${name} taken`;
    });
  });
  const reset = button('Reset', () =>
    act(async () => {
      await control.send('PUT', pathOf('before-reset'));
      await control.send('POST', 'reset', {});
      return 'Sandbox reset. The previous data is in the snapshot before-reset.';
    }),
  );
  return {
    title: 'Snapshots',
    content: element(
      'div',
      '',
      element('p', 'muted', 'A snapshot stores all data and the clock, so that you can restore them later.'),
      take,
      empty,
      list,
      element('h3', '', 'Reset'),
      element(
        'p',
        'muted',
        'Restores the initial data, and clears faults and requests. The current data is saved in the snapshot “before-reset”.',
      ),
      element('div', 'bar', reset),
    ),
    async read() {
      const names = await control.send<string[]>('GET', 'snapshots');
      return () => {
        rows.show(names);
        empty.hidden = names.length > 0;
        return undefined;
      };
    },
  };
}

function pathOf(name: string): string {
  return `snapshots/${encodeURIComponent(name)}`;
}
