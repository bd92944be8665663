import * as z from 'zod';
import { Ledger } from './data/ledger.ts';
import { zMoment } from './dates.ts';
import { emptyState, partsOf } from './state.ts';

const state = emptyState(new Ledger());
const parts = partsOf(state);

const snapshotSchema = z.strictObject({
  state: z
    .strictObject({
      crm: zArea('crm'),
      messaging: zArea('messaging'),
      email: zArea('email'),
      tokens: state.tokens.schema,
    })
    .partial()
    .optional(),
  clock: z.strictObject({ frozenAt: zMoment.optional(), ahead: z.number() }).optional(),
});

/** Some of the tables and settings of an area. */
function zArea(area: string): z.ZodType {
  const inArea = parts.filter(({ name }) => name.startsWith(`${area}.`));
  const schemas = inArea.map(({ name, schema }) => [name.slice(area.length + 1), schema]);
  return z.strictObject(Object.fromEntries(schemas)).partial();
}

/** How many problems an error lists. */
const most = 5;

/**
 * Checks a snapshot that comes from outside.
 *
 * @throws `TypeError` that names the first places that are wrong, such as `state.crm.contacts[3].record.id`
 */
export function checkSnapshot(snapshot: unknown): void {
  const { error } = snapshotSchema.safeParse(snapshot);
  if (!error) return;
  const listed = error.issues.slice(0, most).map(({ path, message }) => `${placeOf(path)}: ${message}`);
  const others = error.issues.length - listed.length;
  throw new TypeError(`This is not a snapshot. ${listed.join('; ')}${others > 0 ? `; and ${others} more` : ''}`);
}

function placeOf(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text.replace(/^\./, '') || 'snapshot';
}
