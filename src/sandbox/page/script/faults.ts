import type { ListedFault } from '../../index.ts';
import { control } from './control.ts';
import { data } from './data.ts';
import { button, byId, element, onSubmit, option, say } from './dom.ts';

const list = byId('fault-list', HTMLElement);
const field = (name: string) => byId(`fault-${name}`, HTMLInputElement);
const effect = byId('fault-effect', HTMLSelectElement);
let shown = '';

export function startFaults(): void {
  byId('operations', HTMLDataListElement).append(...data.operations.map((id) => option(id, id)));
  effect.addEventListener('change', () => {
    field('status').disabled = effect.value !== 'status';
  });
  onSubmit('add-fault', async () => {
    const operation = field('operation').value.trim();
    const delay = field('delay').valueAsNumber;
    const times = field('times').value;
    const { id } = await control<{ id: number }>('POST', 'faults', {
      ...(operation !== '' && { operation }),
      ...(effect.value === 'status' && { status: field('status').valueAsNumber }),
      ...((effect.value === 'before' || effect.value === 'after') && { drop: effect.value }),
      ...((effect.value === 'delay' || delay > 0) && { delay }),
      times: times === '' ? 'always' : Number(times),
    });
    await refreshFaults();
    say(`Fault ${id} added`);
  });
}

export async function refreshFaults(): Promise<void> {
  const faults = await control<ListedFault[]>('GET', 'faults');
  const text = JSON.stringify(faults);
  if (text === shown) return;
  shown = text;
  list.replaceChildren(...faults.map(showFault));
}

function showFault(fault: ListedFault): HTMLLIElement {
  const { id } = fault;
  const remove = button('Remove', `Remove fault ${id}`, async () => {
    await control('DELETE', `faults/${id}`);
    await refreshFaults();
    say(`Fault ${id} removed`);
  });
  return element('li', '', element('span', '', describe(fault)), remove);
}

function describe({ id, operation, status, delay, drop, times, match, probability }: ListedFault): string {
  const parts = [
    status !== undefined && `status ${status}`,
    drop && `drops ${drop}`,
    delay !== undefined && `${delay} ms`,
    times === 'always' ? 'always' : `${times} ×`,
    match && `if ${JSON.stringify(match)}`,
    probability !== undefined && `probability ${probability}`,
  ];
  return `${id}: ${operation ?? 'any operation'}, ${parts.filter(Boolean).join(', ')}`;
}
