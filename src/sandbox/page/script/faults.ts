import type { ListedFault } from '../../index.ts';
import { control } from './control.ts';
import { data } from './data.ts';
import { button, byId, element, onSubmit, option, say } from './dom.ts';

const list = byId('fault-list', HTMLElement);
const field = (name: string) => byId(`fault-${name}`, HTMLInputElement);
const effect = byId('fault-effect', HTMLSelectElement);
let shown = '';

export function startFaults(): void {
  field('more').placeholder = '{"nth": 2, "match": {"parameters": {"dealId": 501}}}';
  for (const [name, about] of Object.entries(data.faultFields))
    byId('fault-fields', HTMLElement).append(element('dt', '', element('code', '', name)), element('dd', '', about));
  byId('operations', HTMLDataListElement).append(...data.operations.map((id) => option(id, id)));
  effect.addEventListener('change', () => {
    field('status').disabled = effect.value !== 'status';
  });
  onSubmit('add-fault', async () => {
    const operation = field('operation').value.trim();
    const delay = field('delay').valueAsNumber;
    const times = field('times').value;
    const more = field('more').value.trim();
    const { id } = await control<{ id: number }>('POST', 'faults', {
      ...(operation !== '' && { operation }),
      ...(effect.value === 'status' && { status: field('status').valueAsNumber }),
      ...(effect.value !== 'status' && effect.value !== 'delay' && { drop: effect.value }),
      ...((effect.value === 'delay' || delay > 0) && { delay }),
      times: times === '' ? 'always' : Number(times),
      ...readMore(more),
    });
    await refreshFaults();
    say(`Fault ${id} added`);
  });
}

/** Properties that have no field of their own. What the page sends is checked by the sandbox. */
function readMore(text: string): object {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The same as a value that is no object.
  }
  throw new Error('"More" is a JSON object with properties of a fault, or empty.');
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

function describe({ id, operation, seen: _, times, ...rest }: ListedFault): string {
  const parts = Object.entries(rest).map(
    ([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
  );
  const often = times === 'always' ? 'always' : `${times} ×`;
  return `${id}: ${operation ?? 'any operation'}, ${[...parts, often].join(', ')}`;
}
