import type { ZodType } from 'zod';
import type { PushButtons, PushUrlFilter } from '../../../../generated/messaging/models.ts';
import { messagingRules } from '../../../../generated/messaging/reference.ts';
import { zPushButtons, zPushUrlFilter } from '../../../../generated/messaging/zod.ts';
import type { Context } from '../../rules/context.ts';
import { jsonIn } from '../../rules/json.ts';

type MessagingRule = keyof typeof messagingRules;

/**
 * Parses a field that contains JSON in a string. Returns `undefined` if the string is empty.
 *
 * @param condition - documented rule that the value violates if its fields are not consistent with each other
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
  return context.rejectByChoice(
    'push-json-text',
    `${field} must be a string that contains JSON in the documented form.`,
  );
}

/** Returns the buttons. Does not check the number of buttons. */
export function readButtons(text: string | undefined, context: Context): PushButtons {
  const buttons = readJsonField('buttons', text, zPushButtons.element.array(), context) ?? [];
  if (buttons.some((button) => !(button.text && button.link)))
    context.rejectByChoice('push-incomplete-button', 'A button needs text and a link.');
  return buttons;
}

/** Rejects a request with more buttons than the schema permits. Each button has already been checked. */
export function rejectManyButtons(buttons: PushButtons, context: Context): void {
  if (zPushButtons.safeParse(buttons).success) return;
  context.reject('push-buttons-limit', {
    message: messagingRules['push-buttons-limit'].text,
    choice: 'push-rejection',
  });
}

/** Reads `filter_url`. Its `search` is an array for the type `direct`, and a string for the other types. */
export function readUrlFilter(text: string | undefined, context: Context): PushUrlFilter | undefined {
  const filter = readJsonField('filter_url', text, zPushUrlFilter, context, 'push-filter-url-search');
  if (!filter) return undefined;
  const { type, search } = filter;
  if (type === undefined && !search?.length) {
    context.chose('push-incomplete-filter');
    return undefined;
  }
  if (type === undefined || search === undefined)
    return context.rejectByChoice('push-incomplete-filter', 'filter_url needs both type and search.');
  return filter;
}
