import { escapeInvisible } from '../../../shared/invisible.ts';
import { isRecord } from '../../../shared/is-record.ts';
import type { Method } from '../../catalogue/index.ts';
import { hideSecretFields } from '../../catalogue/secret-fields.ts';
import { frameData } from './frame.ts';
import { missingFields, selectFields } from './select.ts';
import { cutText, shorten, toJson } from './shorten.ts';
import { estimateTokens, mostEstimated } from './tokens.ts';

/** What an agent wants to see of a reply. */
export interface View {
  /** Names of fields to keep; none keeps all. */
  readonly fields?: readonly string[] | undefined;
  /** First item of the list, or first character of a text. */
  readonly from?: number | undefined;
}

/** Writes the reply of a method within the limit of tokens: as many items as fit, and how to get the rest. */
export function writeReply(method: Method, reply: unknown, view: View): string {
  if (reply === undefined) return `${method.name}: done. The reply has no content.`;
  const page = method.paging && isRecord(reply) && Array.isArray(reply.data) ? reply : undefined;
  const whole = page ? page.data : reply;
  const missing = missingFields(whole, view.fields ?? []);
  const note = missing.length > 0 ? `Nothing here has these fields: ${cutText(missing.join(', '), 200)}.\n` : '';
  return `${note}${writeValue(method, selectFields(whole, view.fields ?? []), view, page)}`;
}

function writeValue(method: Method, selected: unknown, view: View, page: unknown): string {
  const value = hideSecretFields(selected);
  if (Array.isArray(value)) return writeList(method, value, view.from ?? 0, page);
  const text = onlyText(value);
  if (text !== undefined && (view.from || estimateTokens(toJson(text)) > mostEstimated))
    return writeText(method, text, view.from ?? 0);
  const { json, isShort } = shorten(value, (json) => estimateTokens(json) <= mostEstimated);
  const note = isShort ? ' Shortened: select fields to see more.' : '';
  return frameData(`${method.name}.${note}`, json);
}

function writeList(method: Method, items: readonly unknown[], from: number, page: unknown): string {
  const shown: string[] = [];
  let tokens = 0;
  for (const item of items.slice(from)) {
    const json = toJson(item);
    tokens += estimateTokens(json) + 1;
    if (tokens > mostEstimated) break;
    shown.push(json);
  }
  if (shown.length === 0 && from < items.length) {
    shown.push(shorten(items[from], (json) => estimateTokens(json) <= mostEstimated).json);
  }
  const end = from + shown.length;
  const range = shown.length > 0 ? `items ${from} to ${end - 1} of ${items.length}` : `no items from ${from}`;
  const next =
    end < items.length ? ` For more, call it again with from: ${end}, or select fields.` : nextPage(method, page);
  return frameData(`${method.name}: ${range}.${next}`, `[${shown.join(',\n')}]`);
}

/** How to get the next page of a list, once all of this one was shown. */
function nextPage({ paging }: Method, page: unknown): string {
  if (!paging || !isRecord(page)) return '';
  const { total, nextOffset } = page;
  const known = typeof total === 'number' ? ` The whole list has ${total}.` : '';
  return typeof nextOffset === 'number' ? `${known} Next page: params.${paging.offset} = ${nextOffset}.` : known;
}

/** A text that is the value, or its only field. */
function onlyText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const values = isRecord(value) ? Object.values(value) : [];
  return values.length === 1 ? onlyText(values[0]) : undefined;
}

function writeText(method: Method, text: string, from: number): string {
  let length = text.length - from;
  const fits = () => estimateTokens(escapeInvisible(text.slice(from, from + length), '\n')) <= mostEstimated;
  while (length > 1 && !fits()) length = Math.floor(length / 2);
  const end = from + Math.max(length, 0);
  const next = end < text.length ? ` For more, call it again with from: ${end}.` : '';
  return frameData(`${method.name}: characters ${from} to ${end} of ${text.length}.${next}`, text.slice(from, end));
}
