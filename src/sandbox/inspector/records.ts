import { products } from '../../../generated/products.ts';
import { NotFoundError } from './control.ts';
import { button, code, element, input, labelled, select } from './dom.ts';
import { findLinks } from './links.ts';
import type { Panel, Surroundings } from './panel.ts';
import { Rows } from './rows.ts';

type Entry = { key: string | number; title: string; record: Record<string, unknown> };
/** A record that is shown, or the key of one that does not exist. */
type Shown = (Entry & { table: string; isNamed: boolean; links: Link[] }) | { key: string; isMissing: true };
type Link = { place: string; text: string };

export interface RecordsPanel extends Panel {
  /** The table or the record that it shows. */
  readonly place: string;
  /** Shows a table, with one of its records on top. */
  open(table: string, key?: string): void;
}

const pageSize = 50;
/** Headings of the tables of each product. */
const areas: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(products).map(([name, { menu }]) => [name, menu]),
);

export function recordsPanel({ control, refresh, go }: Surroundings): RecordsPanel {
  const tables = select({});
  const search = input({ type: 'search', placeholder: 'any field' });
  const list = element('div', 'records');
  const empty = element('p', 'muted', 'No records.');
  const more = button('Show older', () => {
    wanted += pageSize;
    refresh();
  });
  let table = 'crm.deals';
  let named: string | undefined;
  let wanted = pageSize;
  /** What had the focus when a link was followed. The record of the link takes it, unless the reader moves it meanwhile. */
  let followedFrom: Element | null | undefined;
  const rows = new Rows<Shown>(
    list,
    ({ key }) => key,
    (entry) => showRecord(entry, follow),
  );
  tables.addEventListener('change', () => go(tables.value));
  search.addEventListener('input', () => {
    wanted = pageSize;
    refresh();
  });

  function follow(place: string): void {
    go(place);
    followedFrom = focused();
  }

  function focused(): Element | null {
    const root = list.getRootNode();
    return root instanceof ShadowRoot ? root.activeElement : null;
  }

  /** A response has 100 records at most. */
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

  async function readNamed(key: string): Promise<Entry | { key: string; isMissing: true }> {
    const path = `tables/${table}/${encodeURIComponent(key)}`;
    return control.send<Entry>('GET', path).catch((error: unknown) => {
      if (error instanceof NotFoundError) return { key, isMissing: true };
      throw error;
    });
  }

  return {
    title: 'Records',
    get place() {
      return named === undefined ? table : placeOf(table, named);
    },
    content: element(
      'div',
      '',
      element('div', 'bar', labelled('Resource', tables), labelled('Search', search, 'grow')),
      empty,
      list,
      element('div', 'bar', more),
    ),
    open(next, key) {
      if (next !== table) search.value = '';
      table = next;
      named = key;
      wanted = pageSize;
      followedFrom = undefined;
    },
    async read() {
      const sizes = await control.send<Record<string, number>>('GET', 'tables');
      if (!Object.hasOwn(sizes, table)) throw new Error(`There is no table ${table}`);
      const entries = await readEntries();
      const top = named === undefined ? undefined : await readNamed(named);
      return () => {
        showTables(tables, sizes, table);
        const complete = (entry: Entry, isNamed: boolean): Shown => ({
          ...entry,
          table,
          isNamed,
          links: linksOf(entry, table, sizes),
        });
        const others = entries.filter(({ key }) => String(key) !== named).map((entry) => complete(entry, false));
        const first = top && ('isMissing' in top ? top : complete(top, true));
        const takesFocus = followedFrom === focused();
        followedFrom = undefined;
        rows.show(first ? [first, ...others] : others);
        if (takesFocus) focusOn(list.querySelector<HTMLElement>('.named'));
        empty.hidden = list.childElementCount > 0;
        empty.textContent = search.value.trim() === '' ? 'No records.' : 'No record matches.';
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

function linksOf({ record }: Entry, table: string, sizes: Readonly<Record<string, number>>): Link[] {
  return findLinks(table, record, (name) => Object.hasOwn(sizes, name)).map(({ field, table: other, key }) => {
    const name = field.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return { place: placeOf(other, key), text: `${name.replace(/s$/, '')} ${key}` };
  });
}

function showRecord(entry: Shown, follow: (place: string) => void): HTMLElement {
  if ('isMissing' in entry) {
    // It takes the focus of the link that led to it.
    return Object.assign(element('article', 'named', `There is no record ${entry.key}.`), { tabIndex: -1 });
  }
  const { table, key, title, record, links, isNamed } = entry;
  const linkTo = ({ place, text }: Link) => {
    const created = button(text, () => follow(place));
    created.className = 'link';
    return created;
  };
  return element(
    'article',
    isNamed ? 'named' : '',
    element('h3', '', linkTo({ place: placeOf(table, key), text: String(key) }), ' ', title.slice(0, 120)),
    links.length > 0 && element('p', 'links', ...links.map(linkTo)),
    element('details', 'more', element('summary', '', 'Fields'), code(record)),
  );
}

/** Focuses the link of a record, or the message that it does not exist. */
function focusOn(named: HTMLElement | null): void {
  (named?.querySelector<HTMLElement>('.link') ?? named)?.focus();
}

function placeOf(table: string, key: string | number): string {
  return `${table}/${encodeURIComponent(key)}`;
}
