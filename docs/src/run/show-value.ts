import { messageOf } from '../../../src/shared/message-of.ts';
import type { ShownError } from './messages.ts';
import { UnreadableCode } from './run-module.ts';

/** Maximum number of characters of one value. */
const maxCharacters = 20_000;

/** Formats a value as text, as JSON if possible. */
export function showValue(value: unknown): string {
  const text = typeof value === 'string' ? value : textOf(value);
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}… (${text.length} characters)` : text;
}

function textOf(value: unknown): string {
  if (typeof value !== 'object') return String(scalar(value));
  // Also calls and lists of the client.
  if (isPromise(value)) return '(a promise: is an await missing?)';
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  const above: unknown[] = [];
  try {
    return JSON.stringify(value, replacer(above), 2) ?? String(value);
  } catch (error) {
    return `(cannot be shown: ${messageOf(error)})`;
  }
}

function isPromise(value: object | null): boolean {
  return value !== null && 'then' in value && typeof value.then === 'function';
}

/** Formats values that JSON cannot represent. */
function replacer(above: unknown[]): (this: unknown, key: string, value: unknown) => unknown {
  return function replace(_, value) {
    while (above.length > 0 && above.at(-1) !== this) above.pop();
    if (above.includes(value)) return '(circular)';
    if (typeof value === 'object' && value !== null) above.push(value);
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    if (value instanceof Map) return Object.fromEntries(value);
    if (value instanceof Set) return [...value];
    return scalar(value);
  };
}

function scalar(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'symbol') return String(value);
  if (typeof value === 'function') return `(function ${value.name})`;
  return value;
}

/** Name, message, line and code of an error, for display. */
export function describeError(error: unknown): ShownError {
  if (!(error instanceof Error)) return { name: 'Thrown', message: showValue(error) };
  const { name, message, stack = '' } = error;
  const line = Number(/blob:[^\s)]*?:(\d+):\d+/.exec(stack)?.[1]);
  const status: unknown = Reflect.get(error, 'status');
  const code: unknown = Reflect.get(error, 'code');
  return {
    name,
    message,
    ...(line > 0 && { line }),
    ...(typeof status === 'number' && { status }),
    ...((typeof code === 'number' || typeof code === 'string') && { code }),
    ...(error instanceof UnreadableCode && {
      advice: 'Programs run here as JavaScript: leave out types, and look for a bracket or a quote that is missing.',
    }),
  };
}
