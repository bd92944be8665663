import { products } from '../../../generated/products.ts';
import { button, code, element, input, labelled, select } from './dom.ts';
import type { Panel, PanelHost } from './panel.ts';
import { Rows } from './rows.ts';

type Entry = { key: string | number; title: string; record: Record<string, unknown> };

export interface RecordsPanel extends Panel {
  /** Name of the table that the panel shows. */
  readonly place: string;
  open(table: string): void;
}

const pageSize = 50;
/** Heading above the tables of each product. */
const areas: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(products).map(([name, { menu }]) => [name, menu]),
);

export function recordsPanel({ control, refresh, go }: PanelHost): RecordsPanel {
  const tables = select({});
  const search = input({ type: 'search', placeholder: 'any field' });
  const list = element('div', 'records');
  const empty = element('p', 'muted', 'No records.');
  const more = button('Show older', () => {
    wanted += pageSize;
    refresh();
  });
  let table = 'crm.deals';
  let wanted = pageSize;
  const rows = new Rows<Entry>(list, ({ key }) => `${table}/${key}`, showRecord);
  tables.addEventListener('change', () => go(tables.value));
  search.addEventListener('input', () => {
    wanted = pageSize;
    refresh();
  });

  /** Reads the records in parts, because a response has at most 100 records. */
  async function readEntries(): Promise<Entry[]> {
    const entries: Entry[] = [];
    while (entries.length < wanted) {
      const part = new URLSearchParams({ limit: String(pageSize), offset: String(entries.length) });
      if (search.value.trim() !== '') part.set('text', search.value.trim());
      const read = await control.send<Entry[]>('GET', `tables/${table}?${part}`);
      entries.push(...read);
      if (read.length < pageSize) break;
    }
    return entries;
  }

  return {
    title: 'Records',
    get place() {
      return table;
    },
    content: element(
      'div',
      '',
      element('div', 'bar', labelled('Resource', tables), labelled('Search', search, 'grow')),
      empty,
      list,
      element('div', 'bar', more),
    ),
    open(next) {
      if (next !== table) search.value = '';
      table = next;
      wanted = pageSize;
    },
    async read() {
      const sizes = await control.send<Record<string, number>>('GET', 'tables');
      if (!Object.hasOwn(sizes, table)) throw new Error(`There is no table ${table}`);
      const entries = await readEntries();
      return () => {
        showTables(tables, sizes, table);
        rows.show(entries);
        empty.hidden = entries.length > 0;
        empty.textContent = search.value.trim() === '' ? 'No records.' : 'No record matches the search.';
        more.hidden = entries.length < wanted || entries.length >= (sizes[table] ?? 0);
        return undefined;
      };
    },
  };
}

function showTables(field: HTMLSelectElement, sizes: Readonly<Record<string, number>>, chosen: string): void {
  const labels = Object.entries(sizes).map(([name, size]) => [name, `${wordsOf(name)} (${size})`] as const);
  if ([...field.options].map(({ text }) => text).join() !== labels.map(([, label]) => label).join()) {
    const groups = Object.entries(areas).map(([area, label]) => {
      const own = labels.filter(([name]) => name.startsWith(`${area}.`));
      return Object.assign(element('optgroup', '', ...own.map(([name, text]) => new Option(text, name))), { label });
    });
    field.replaceChildren(...groups);
  }
  field.value = chosen;
}

/** `crm.dealAttributes` → `Deal attributes`. */
function wordsOf(table: string): string {
  const words = table.replace(/^.*\./, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function showRecord({ key, title, record }: Entry): HTMLElement {
  return element(
    'article',
    '',
    element('h3', '', element('code', '', String(key)), ' ', title.slice(0, 120)),
    element('details', 'more', element('summary', '', 'Fields'), code(record)),
  );
}
