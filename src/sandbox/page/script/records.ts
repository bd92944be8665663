import { control } from './control.ts';
import { byId, element, link, onClick, option, run } from './dom.ts';
import { addressOf, findLinks, readAddress } from './links.ts';

type Entry = { key: string | number; title: string; record: Record<string, unknown> };

const pageSize = 50;
/** Shown if the address names no table. */
const first = 'crm.deals';
const areas: Record<string, string> = { crm: 'CRM', messaging: 'Messaging and push', email: 'Email' };
const select = byId('table', HTMLSelectElement);
const list = byId('record-list', HTMLElement);
const more = byId('more', HTMLButtonElement);

let sizes: Record<string, number> = {};
let shown = '';
let wanted = pageSize;
/** Table and record that the address named last. Links to sections of the page name none. */
let address = readAddress(location.hash);
let turns = 0;

export function startRecords(): void {
  select.addEventListener('change', () => {
    location.hash = addressOf(select.value);
  });
  addEventListener('hashchange', () => {
    const named = readAddress(location.hash);
    if (!named && location.hash !== '') return;
    address = named;
    wanted = pageSize;
    void run(async () => {
      await refreshRecords();
      list.querySelector<HTMLElement>('.named a')?.focus();
    });
  });
  onClick('more', () => {
    wanted += pageSize;
    return refreshRecords();
  });
}

/** Shows the table that the address names, with the record that it names on top. */
export async function refreshRecords(): Promise<void> {
  turns += 1;
  const turn = turns;
  sizes = await control('GET', 'tables');
  const names = Object.keys(sizes);
  const { table, key } = address && names.includes(address.table) ? address : { table: first, key: undefined };
  showTables(table);
  const entries = await readEntries(table);
  const named =
    key === undefined
      ? undefined
      : await control<Entry>('GET', `tables/${table}/${encodeURIComponent(key)}`).catch(() => null);
  // A newer call shows more recent records.
  if (turn !== turns) return;
  const others = entries.filter((entry) => String(entry.key) !== key);
  // What is open stays open, and what has not changed stays as it is, with its focus.
  const text = JSON.stringify([table, key, named, others, sizes[table]]);
  if (text === shown) return;
  shown = text;
  const isOpen = new Set(
    [...list.querySelectorAll<HTMLElement>('article:has(details[open])')].map(({ dataset }) => dataset.address),
  );
  const focused = document.activeElement?.closest('article')?.dataset.address;
  const rows = others.map((entry) => showRecord(table, entry));
  if (named) rows.unshift(showRecord(table, named, true));
  else if (named === null) rows.unshift(element('article', 'named', `There is no record ${key}.`));
  for (const row of rows) {
    const details = row.querySelector('details');
    if (details && isOpen.has(row.dataset.address)) details.open = true;
  }
  list.replaceChildren(...(rows.length > 0 ? rows : [element('p', 'muted', 'No records.')]));
  if (focused !== undefined)
    rows
      .find(({ dataset }) => dataset.address === focused)
      ?.querySelector('summary')
      ?.focus();
  more.hidden = entries.length >= (sizes[table] ?? 0);
}

/** A reply has 100 records at most. */
async function readEntries(table: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  while (entries.length < wanted) {
    const part = await control<Entry[]>('GET', `tables/${table}?limit=${pageSize}&offset=${entries.length}`);
    entries.push(...part);
    if (part.length < pageSize) break;
  }
  return entries;
}

function showTables(table: string): void {
  const labels = Object.entries(sizes).map(([name, size]) => [name, `${wordsOf(name)} (${size})`] as const);
  const present = [...select.options].map(({ value, text }) => `${value} ${text}`).join();
  if (present !== labels.map(([name, label]) => `${name} ${label}`).join()) {
    const groups = Object.entries(areas).map(([area, label]) => {
      const group = element(
        'optgroup',
        '',
        ...labels.filter(([name]) => name.startsWith(`${area}.`)).map((pair) => option(...pair)),
      );
      group.label = label;
      return group;
    });
    select.replaceChildren(...groups);
  }
  select.value = table;
}

/** `crm.dealAttributes` → `Deal attributes`. */
function wordsOf(table: string): string {
  const words = table.replace(/^.*\./, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function showRecord(table: string, { key, title, record }: Entry, isNamed = false): HTMLElement {
  const links = findLinks(table, record, (name) => Object.hasOwn(sizes, name));
  const shownLinks = links.map(({ field, table: other, key: named }) => {
    const name = field.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return link(addressOf(other, named), `${name.replace(/s$/, '')} ${named}`);
  });
  const row = element(
    'article',
    isNamed ? 'named' : '',
    element('h3', '', link(addressOf(table, key), String(key)), ` ${title.slice(0, 120)}`),
    links.length > 0 && element('p', 'links', ...shownLinks),
    element('details', '', element('summary', '', 'Fields'), element('pre', '', JSON.stringify(record, null, 2))),
  );
  row.dataset.address = addressOf(table, key);
  return row;
}
