import type { ZodType } from 'zod';
import type { PushButtons, PushUrlFilter } from '../../../../generated/messaging/models.ts';
import { messagingRules } from '../../../../generated/messaging/reference.ts';
import { zPushButtons, zPushUrlFilter } from '../../../../generated/messaging/zod.ts';
import type { Context } from '../../rules/context.ts';
import { jsonIn } from '../../rules/json.ts';

type MessagingRule = keyof typeof messagingRules;

/**
 * Parses a field that holds JSON in a string. Returns `undefined` if it is empty.
 *
 * @param condition - the documented rule that the value breaks if its fields do not go together
 */
export function readJsonField<Value>(
  field: string,
  text: string | undefined,
  schema: ZodType<Value>,
  context: Context,
  condition?: MessagingRule,
): Value | undefined {
  if (!text?.trim()) return undefined;
  const result = schema.safeParse(jsonIn(text));
  if (result.success) return result.data;
  if (condition && result.error.issues.every(({ code }) => code === 'custom'))
    context.reject(condition, { message: messagingRules[condition].text, choice: 'push-rejection' });
  return context.rejectByChoice('push-json-text', `${field} is not JSON of the documented form.`);
}

/** Returns the buttons. Does not check their number. */
export function readButtons(text: string | undefined, context: Context): PushButtons {
  const buttons = readJsonField('buttons', text, zPushButtons.element.array(), context) ?? [];
  if (buttons.some((button) => !(button.text && button.link)))
    context.rejectByChoice('push-incomplete-button', 'A button needs a text and a link.');
  return buttons;
}

/** Rejects more buttons than the schema permits. The buttons themselves are valid. */
export function rejectManyButtons(buttons: PushButtons, context: Context): void {
  if (zPushButtons.safeParse(buttons).success) return;
  context.reject('push-buttons-limit', {
    message: messagingRules['push-buttons-limit'].text,
    choice: 'push-rejection',
  });
}

/** Reads the filter by address. `search` is an array for `direct` and a string for the other types. */
export function readUrlFilter(text: string | undefined, context: Context): PushUrlFilter | undefined {
  const filter = readJsonField('filter_url', text, zPushUrlFilter, context, 'push-filter-url-search');
  if (!filter) return undefined;
  const { type, search } = filter;
  if (type === undefined && !search?.length) {
    context.chose('push-incomplete-filter');
    return undefined;
  }
  if (type === undefined || search === undefined)
    return context.rejectByChoice('push-incomplete-filter', 'filter_url needs a type and a search.');
  return filter;
}
