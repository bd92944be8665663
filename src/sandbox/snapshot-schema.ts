import * as z from 'zod';
import { crmSchema } from './crm/schema.ts';
import { emailSchema } from './email/schema.ts';
import { messagingSchema } from './messaging/schema.ts';

/** Times that a `Date` can express, in milliseconds since 1970. */
const latest = 8.64e15;
const moment = z.number().min(-latest).max(latest);

const snapshotSchema = z.strictObject({
  state: z
    .strictObject({
      crm: crmSchema.partial(),
      messaging: messagingSchema.partial(),
      email: emailSchema.partial(),
      tokens: z.array(z.object({ token: z.string(), expiresAt: moment })),
    })
    .partial()
    .optional(),
  clock: z.strictObject({ frozenAt: moment.optional(), ahead: z.number() }).optional(),
});

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
