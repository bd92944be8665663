import { control } from './control.ts';
import { button, byId, element, onSubmit, say } from './dom.ts';

const list = byId('snapshot-list', HTMLElement);
const nameField = byId('snapshot-name', HTMLInputElement);
let shown = '';

/** @param changed - called after the data has been replaced */
export function startSnapshots(changed: () => Promise<void>): void {
  onSubmit('take', async () => {
    const name = nameField.value.trim();
    await takeSnapshot(name);
    nameField.value = '';
    await refreshSnapshots(changed);
    say(`Snapshot ${name} taken`);
  });
}

export async function takeSnapshot(name: string): Promise<void> {
  await control('PUT', pathOf(name));
}

export async function refreshSnapshots(changed: () => Promise<void>): Promise<void> {
  const names = await control<string[]>('GET', 'snapshots');
  const text = JSON.stringify(names);
  if (text === shown) return;
  shown = text;
  list.replaceChildren(...names.map((name) => showSnapshot(name, changed)));
}

function showSnapshot(name: string, changed: () => Promise<void>): HTMLLIElement {
  const restore = button('Restore', `Restore ${name}`, async () => {
    await control('POST', `${pathOf(name)}/restore`);
    await changed();
    say(`Snapshot ${name} restored`);
  });
  const remove = button('Delete', `Delete ${name}`, async () => {
    await control('DELETE', pathOf(name));
    await refreshSnapshots(changed);
    say(`Snapshot ${name} deleted`);
  });
  return element('li', '', element('span', '', name), restore, remove);
}

function pathOf(name: string): string {
  return `snapshots/${encodeURIComponent(name)}`;
}
