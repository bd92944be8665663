import type { ZodType } from 'zod';
import { type PushUrlFilter, PushUrlFilterType } from '../../../../generated/messaging/models.ts';
import { zPushButtons, zPushUrlFilter } from '../../../../generated/messaging/validators.ts';
import type { Context } from '../../handler.ts';

/** The value of a field that holds JSON in a string; nothing where it is empty. */
export function readJsonText<Value>(
  field: string,
  text: string | undefined,
  schema: ZodType<Value>,
  context: Context,
): Value | undefined {
  if (!text?.trim()) return undefined;
  const result = schema.safeParse(parseJson(text));
  if (result.success) return result.data;
  return context.refuseByChoice('push-json-text', { message: `${field} is not JSON of the described form.` });
}

/** Checks the buttons: the documents limit their number. */
export function checkButtons(text: string | undefined, context: Context): void {
  const value = text?.trim() ? parseJson(text) : undefined;
  const { error } = zPushButtons.safeParse(value ?? []);
  if (error?.issues.some(({ code, path }) => code === 'too_big' && path.length === 0))
    context.refuse('push-buttons-limit', {
      message: 'buttons holds at most two buttons.',
      choice: 'push-json-text',
    });
  readJsonText('buttons', text, zPushButtons, context);
}

/** The filter by address; `search` is an array for `direct` and a string for the others. */
export function readUrlFilter(text: string | undefined, context: Context): PushUrlFilter | undefined {
  const filter = readJsonText('filter_url', text, zPushUrlFilter, context);
  const { type, search } = filter ?? {};
  if (type === undefined && !search?.length) return undefined;
  if (type === undefined || search === undefined)
    return context.refuseByChoice('push-incomplete-filter', { message: 'filter_url has a type and a search.' });
  if (Array.isArray(search) !== (type === PushUrlFilterType.Direct))
    context.refuse('push-filter-url-search', {
      message: 'search is an array of links for direct, and a string for include and exclude.',
      choice: 'push-json-text',
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
