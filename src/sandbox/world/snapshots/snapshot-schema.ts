import * as z from 'zod';
import { productNames } from '../../../../generated/products.ts';
import { zMoment } from '../../data/dates.ts';
import { Ledger } from '../../data/ledger.ts';
import { Table } from '../../data/table.ts';
import { emptyState, partsOf } from '../../products/state.ts';

const parts = partsOf(emptyState(new Ledger()));
const tables = parts.filter((part) => part instanceof Table);

/** State of a clock. */
export const zClockState = z.strictObject({ frozenAt: zMoment.optional(), ahead: z.number() });

/** Schema of everything except the records, which are checked one by one. */
const snapshotSchema = z.strictObject({
  state: z
    .strictObject(Object.fromEntries(productNames.map((name) => [name, zProduct(name)])))
    .partial()
    .optional(),
  clock: zClockState.optional(),
});

/** Schema of some tables and settings of a product. */
function zProduct(product: string): z.ZodType {
  const own = parts.filter(({ name }) => name.startsWith(`${product}.`));
  const schemas = own.map((part) => [
    part.name.slice(product.length + 1),
    part instanceof Table ? z.array(z.unknown()) : part.schema,
  ]);
  return z.strictObject(Object.fromEntries(schemas)).partial();
}

/** Maximum number of problems in an error message. */
const most = 5;
/** Number of problems after which a check stops. */
const maxIssues = 100;

/**
 * Checks a snapshot that a caller passed.
 *
 * @param title - first sentence of the error message
 * @throws `TypeError` that names the first invalid locations, such as `state.crm.contacts[3].record.id`
 */
export function checkSnapshot(snapshot: unknown, title = 'The snapshot is not valid.'): void {
  const { error } = snapshotSchema.safeParse(snapshot);
  throwIfAny(error?.issues ?? [], title);
  const found: z.core.$ZodIssue[] = [];
  for (const { name, entrySchema } of tables) {
    const records = contentOf(snapshot, `state.${name}`);
    if (!Array.isArray(records)) continue;
    for (const [index, record] of records.entries()) {
      const { error: wrong } = entrySchema.safeParse(record);
      for (const issue of wrong?.issues ?? [])
        found.push({ ...issue, path: ['state', ...name.split('.'), index, ...issue.path] });
      if (found.length >= maxIssues) throwIfAny(found, title);
    }
  }
  throwIfAny(found, title);
}

/** Returns the value at a location in a snapshot or a state, such as `crm.contacts`. */
export function contentOf(value: unknown, place: string): unknown {
  return place.split('.').reduce((inner, key) => Object(inner)[key], value);
}

function throwIfAny(issues: readonly z.core.$ZodIssue[], title: string): void {
  if (issues.length === 0) return;
  const listed = issues.slice(0, most).map(({ path, message }) => `${placeOf(path) || 'snapshot'}: ${message}`);
  const others = issues.length - listed.length;
  throw new TypeError(`${title} ${listed.join('; ')}${others > 0 ? `; and ${others} more` : ''}`);
}

/** Formats a path, for example as `state.crm.contacts[3]`. */
export function placeOf(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text.replace(/^\./, '');
}
