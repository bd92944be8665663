import { isRecord } from '../shared/is-record.ts';
import { textClass } from '../shared/observed/classes.ts';
import { type Account, addObserved, readObserved, type Shape } from '../shared/observed/observed.ts';

/** Gives replies of the sandbox the form that `carillon learn` observed. */
export class ObservedReplies {
  readonly #replies: Account;

  /**
   * @param text - content of a file of observations
   * @throws `ObservedFileError` if the text is not a file of observations
   */
  constructor(text: string) {
    const { accounts } = readObserved(text, 'observed', () => true);
    this.#replies = Object.values(accounts).reduce<Account>(
      (sum, account) =>
        addObserved(() => true, { accounts: { all: sum } }, { accounts: { all: account } }).accounts.all ?? sum,
      {},
    );
  }

  /**
   * Gives the content of a reply the observed form: fields that were always null are null, fields that never occurred are left out, and
   * dates and numbers have the observed format.
   *
   * @returns the content, and the places that changed, with the kind of the change
   */
  apply(operationId: string, status: number, content: unknown): { content: unknown; changes: string[] } {
    const shape = this.#replies[operationId]?.[status]?.body;
    const changes = new Set<string>();
    return { content: shape ? adapt(content, shape, '', changes) : content, changes: [...changes] };
  }
}

/** Minimum number of records that were always null, or always without a field: three replies with two records each. */
const minRecords = 6;

function adapt(value: unknown, shape: Shape, path: string, changes: Set<string>): unknown {
  if (onlyType(shape) === 'null' && (shape.types.null ?? 0) >= minRecords && value !== null) {
    changes.add(`${path} null`);
    return null;
  }
  const { items } = shape;
  if (Array.isArray(value)) return items ? value.map((item) => adapt(item, items, `${path}[]`, changes)) : value;
  if (isRecord(value)) return adaptRecord(value, shape, path, changes);
  const formatted = format(value, shape);
  if (formatted !== value) changes.add(`${path} format`);
  return formatted;
}

function adaptRecord(value: Record<string, unknown>, shape: Shape, path: string, changes: Set<string>): unknown {
  const fields = shape.fields ?? {};
  // A field without a name in the observations can be any.
  const isComplete = !shape.manyNames && !shape.unnamed && !shape.entries;
  const isSeenOften = (shape.types.object ?? 0) >= minRecords;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const place = path === '' ? name : `${path}.${name}`;
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field) return [[name, adapt(inner, field, place, changes)]];
      if (!isSeenOften || !isComplete) return [[name, inner]];
      changes.add(`${place} left-out`);
      return [];
    }),
  );
}

/** Returns the type of a place that has one type, ignoring `null`. */
function onlyType({ types }: Shape): string | undefined {
  const seen = Object.entries(types).flatMap(([type, count]) => (count > 0 ? [type] : []));
  const others = seen.filter((type) => type !== 'null');
  return seen.length === 1 ? seen[0] : others.length === 1 ? others[0] : undefined;
}

function only(counts: Readonly<Record<string, number>> = {}): string | undefined {
  const [first, ...others] = Object.keys(counts).filter((name) => name !== 'empty');
  return others.length === 0 ? first : undefined;
}

/** Converts a date or number to the observed format, if there is one. Other values stay the same. */
function format(value: unknown, shape: Shape): unknown {
  const type = onlyType(shape);
  const text = only(shape.texts);
  if (typeof value === 'number')
    return type === 'string' && (text === 'integer' || text === 'decimal') ? String(value) : value;
  if (typeof value !== 'string') return value;
  if (type === 'integer' && /^\d{1,15}$/.test(value)) return Number(value);
  const moment = momentOf(value);
  if (moment === undefined) return value;
  if (type === 'integer' || type === 'number') {
    const integers = only(shape.integers);
    if (integers === 'as seconds since 1970') return Math.floor(moment.getTime() / 1_000);
    return integers === 'as milliseconds since 1970' ? moment.getTime() : value;
  }
  return text === undefined || textClass(value) === text ? value : (dateFormats[text]?.(moment.toISOString()) ?? value);
}

/** Parses a date of the sandbox as UTC. */
function momentOf(text: string): Date | undefined {
  const [, day, time = '00:00:00'] = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}:\d{2}))?(?:\.\d+)?Z?$/.exec(text) ?? [];
  const moment = new Date(`${day}T${time}Z`);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

const dateFormats: Readonly<Record<string, (iso: string) => string>> = {
  date: (iso) => iso.slice(0, 10),
  'date time': (iso) => `${iso.slice(0, 10)} ${iso.slice(11, 19)}`,
  'ISO date time': (iso) => iso.slice(0, 19),
  'ISO date time with offset': (iso) => `${iso.slice(0, 19)}Z`,
  'date with dots': (iso) => `${iso.slice(8, 10)}.${iso.slice(5, 7)}.${iso.slice(0, 4)} ${iso.slice(11, 19)}`,
  'date with slashes': (iso) => `${iso.slice(0, 10).replaceAll('-', '/')} ${iso.slice(11, 19)}`,
};
