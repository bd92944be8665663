import type { LoggedRequest } from '../../index.ts';
import { control } from './control.ts';
import { reason } from './data.ts';
import { byId, element, onClick, run, say } from './dom.ts';

const mostRows = 200;
const list = byId('request-list', HTMLElement);
const empty = byId('no-requests', HTMLElement);
const pause = byId('pause', HTMLButtonElement);

/** Rows of the list by the number of the request, oldest first. */
const rows = new Map<number, { row: HTMLLIElement; isAnswered: boolean }>();
let last = 0;

export function startRequests(): void {
  onClick('pause', async () => {
    pause.ariaPressed = String(!isPaused());
  });
  onClick('clear', async () => {
    await control('DELETE', 'requests');
    clearRequests();
    say('Requests cleared');
  });
}

function isPaused(): boolean {
  return pause.ariaPressed === 'true';
}

/** Empties the list. The sandbox may also begin to count again, as after a restart. */
export function clearRequests(mayRestart = false): void {
  rows.clear();
  list.replaceChildren();
  empty.hidden = false;
  if (mayRestart) last = 0;
}

/** Shows what has arrived. Returns whether there was anything. */
export async function refreshRequests(): Promise<boolean> {
  if (isPaused()) return false;
  const waiting = [...rows].filter(([, { isAnswered }]) => !isAnswered).map(([id]) => id - 1);
  const after = Math.min(last, ...waiting);
  const entries = await control<LoggedRequest[]>('GET', `requests?bodies=false&limit=${mostRows}&after=${after}`);
  let isChanged = false;
  for (const entry of entries) {
    const { id, milliseconds } = entry;
    const known = rows.get(id);
    const isAnswered = milliseconds !== undefined;
    if (known?.isAnswered || (known && !isAnswered)) continue;
    const row = showRequest(entry);
    rows.set(id, { row, isAnswered });
    if (known) known.row.replaceWith(row);
    else list.prepend(row);
    last = Math.max(last, id);
    isChanged = true;
  }
  for (const [id, { row }] of [...rows].slice(0, Math.max(0, rows.size - mostRows))) {
    row.remove();
    rows.delete(id);
  }
  empty.hidden = rows.size > 0;
  return isChanged;
}

function showRequest(entry: LoggedRequest): HTMLLIElement {
  const { id, method, path, status, rule, choices = [], fault, milliseconds } = entry;
  const isRefused = status === undefined ? milliseconds !== undefined : status >= 400;
  const causes = [
    fault !== undefined && `fault ${fault}`,
    rule && `rule ${rule}`,
    !rule && choices.length > 0 && choices.join(', '),
  ];
  const why = causes.filter(Boolean).join(' · ');
  const summary = element(
    'summary',
    '',
    element('span', 'method', method),
    element('span', 'path', path),
    element(
      'strong',
      isRefused ? 'bad' : 'good',
      String(status ?? (milliseconds === undefined ? 'waiting' : 'dropped')),
    ),
    element('span', 'ms', milliseconds === undefined ? '' : `${milliseconds} ms`),
    why !== '' && element('span', isRefused ? 'why bad' : 'why muted', why),
  );
  const details = element('details', '', summary);
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1)
      void run(async () => details.append(await showDetail(id, entry)));
  });
  return element('li', '', details);
}

/** The body is read only now: bodies can be long. */
async function showDetail(id: number, entry: LoggedRequest): Promise<HTMLElement> {
  const { at, operation, rule, choices = [], bodyLength } = entry;
  const { body } = bodyLength === undefined ? entry : await control<LoggedRequest>('GET', `requests/${id}`);
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  return element(
    'div',
    'detail',
    element('p', 'muted', `Request ${id}${operation ? ` · ${operation}` : ''} · ${new Date(at).toISOString()}`),
    rule !== undefined && reason('Rule', rule),
    ...choices.map((choice) => reason('Choice', choice)),
    text === undefined
      ? element('p', 'muted', bodyLength === undefined ? 'No body' : 'The body is not kept')
      : element('pre', '', text),
  );
}
