import type { ZodType } from 'zod';
import { messagingRules } from '../../../../generated/messaging/reference.ts';
import { type PushButtons, type PushUrlFilter, PushUrlFilterType } from '../../../../generated/messaging/models.ts';
import { zPushButtons, zPushUrlFilter } from '../../../../generated/messaging/zod.ts';
import type { Context } from '../../context.ts';

/** Parses a field that holds JSON in a string. Returns `undefined` if it is empty. */
export function readJsonText<Value>(
  field: string,
  text: string | undefined,
  schema: ZodType<Value>,
  context: Context,
): Value | undefined {
  if (!text?.trim()) return undefined;
  const result = schema.safeParse(parseJson(text));
  if (result.success) return result.data;
  return context.refuseByChoice('push-json-text', { message: `${field} is not JSON of the documented form.` });
}

/** Returns the buttons. Does not check their number. */
export function readButtons(text: string | undefined, context: Context): PushButtons {
  const buttons = readJsonText('buttons', text, zPushButtons.element.array(), context) ?? [];
  if (buttons.some((button) => !(button.text && button.link)))
    context.refuseByChoice('push-incomplete-button', { message: 'A button needs a text and a link.' });
  return buttons;
}

/** Refuses more buttons than the schema permits. The buttons themselves are valid. */
export function refuseManyButtons(buttons: PushButtons, context: Context): void {
  if (zPushButtons.safeParse(buttons).success) return;
  context.refuse('push-buttons-limit', {
    message: messagingRules['push-buttons-limit'].text,
    choice: 'push-refusal-answer',
  });
}

/** Reads the filter by address. `search` is an array for `direct` and a string for the other types. */
export function readUrlFilter(text: string | undefined, context: Context): PushUrlFilter | undefined {
  const filter = readJsonText('filter_url', text, zPushUrlFilter, context);
  if (!filter) return undefined;
  const { type, search } = filter;
  if (type === undefined && !search?.length) {
    context.chose('push-incomplete-filter');
    return undefined;
  }
  if (type === undefined || search === undefined)
    return context.refuseByChoice('push-incomplete-filter', { message: 'filter_url needs a type and a search.' });
  if (Array.isArray(search) !== (type === PushUrlFilterType.Direct))
    context.refuse('push-filter-url-search', {
      message: messagingRules['push-filter-url-search'].text,
      choice: 'push-refusal-answer',
    });
  return filter;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
