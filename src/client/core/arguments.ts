import type { CallOptions } from '../../shared/call-types.ts';
import { closest } from '../../shared/closest.ts';
import { BadValue, shorten, withArticle } from './bad-value.ts';
import { CarillonError } from './errors/base.ts';
import { ArgumentError } from './errors/local-errors.ts';
import { builtInKind } from './write-json.ts';

/** Names of the options of a call. The type requires all of them. */
export const callOptionNames = /* @__PURE__ */ Object.keys({
  signal: true,
  timeout: true,
  attemptTimeout: true,
  maxRetries: true,
  replayCreates: true,
  headers: true,
} satisfies Record<keyof CallOptions, true>);

/** Converts an error to an `ArgumentError` that names the operation, unless it is an error of the client. */
export function argumentError(operation: string, error: unknown): CarillonError {
  const about = (problem: string) => `${operation}: ${problem}; nothing was sent`;
  if (error instanceof CarillonError) return error;
  if (error instanceof BadValue) {
    return new ArgumentError(about(error.message), {
      parameter: error.place,
      ...(error.cause !== undefined && { cause: error.cause }),
    });
  }
  if (error instanceof BadArgument) return new ArgumentError(about(error.message));
  // For example, a `Proxy` that throws when its keys are listed.
  return new ArgumentError(about('an argument cannot be read'), { cause: error });
}

/** An argument has the wrong type or an unknown name. Unlike `BadValue`, this is an error in the program, not in its data. */
export class BadArgument extends TypeError {}

/**
 * Copies the fields of an object argument.
 *
 * @param name - name of the argument, for errors
 * @returns a copy; empty for `undefined` and `null`
 */
export function readFields(value: unknown, name: string): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object') throw new BadArgument(`${name} must be an object, not a ${typeof value}`);
  if (Array.isArray(value)) throw new BadArgument(`${name} must be an object, not a list`);
  const kind = builtInKind(value);
  if (kind) throw new BadArgument(`${name} must be an object, not ${withArticle(kind)}`);
  try {
    return { ...value };
  } catch (cause) {
    throw new BadValue(failingField(value) ?? name, 'cannot be read', { cause });
  }
}

/** The field whose getter throws. */
function failingField(value: object): string | undefined {
  return Object.keys(value).find((name) => {
    try {
      Reflect.get(value, name);
      return false;
    } catch {
      return true;
    }
  });
}

/** Refuses arguments beyond those that a function takes. Wrappers may pass `undefined`. */
export function checkCount(args: readonly unknown[], names: readonly string[]): void {
  if (args.length <= names.length || args.slice(names.length).every((extra) => extra === undefined)) return;
  const only = names.length === 1 ? `the ${names[0]} alone` : names.join(', then ');
  throw new BadArgument(`there is an argument too many: pass ${only}`);
}

/** Refuses unknown names and suggests the closest known one. */
export function checkNames(given: object, known: readonly string[], kind: NameKind): void {
  const problem = unknownName(Object.keys(given), known, kind);
  if (problem !== undefined) throw new BadArgument(problem);
}

export function checkSignal(signal: unknown): void {
  // `fetch` also accepts `null`.
  if (signal === undefined || signal === null || isSignal(signal)) return;
  if (typeof signal === 'object' && isSignal(Reflect.get(signal, 'signal'))) {
    throw new BadArgument('signal is an AbortController: pass controller.signal');
  }
  throw new BadArgument('signal must be an AbortSignal');
}

/** Whether a value is an `AbortSignal`, including those of another realm or a library. */
function isSignal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { aborted, addEventListener, removeEventListener }: Partial<AbortSignal> = value;
  const isTarget = typeof addEventListener === 'function' && typeof removeEventListener === 'function';
  return typeof aborted === 'boolean' && isTarget;
}

export function checkHeaders(headers: unknown): void {
  if (headers === undefined || headers === null || headers instanceof Headers) return;
  for (const [name, value] of Object.entries(readFields(headers, 'headers'))) {
    // openapi-fetch omits these.
    if (value === undefined || value === null) continue;
    if (!isHeader(name, value)) throw new BadArgument(`the header ${JSON.stringify(shorten(name))} is not valid`);
  }
}

/** Whether a header can be sent. `String` would also convert an object or a promise. */
export function isHeader(name: string, value: unknown): boolean {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return false;
  try {
    new Headers([[name, String(value)]]);
    return true;
  } catch {
    return false;
  }
}

/** The owner of names, in the singular as the beginning of a name and in the plural: `params.` and `params`. */
export interface NameKind {
  one: string;
  all: string;
}

/**
 * Says that a name is unknown, and suggests the closest known one.
 *
 * @returns a sentence that begins in lower case, or `undefined` if all names are known
 */
export function unknownName(given: readonly string[], known: readonly string[], kind: NameKind): string | undefined {
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const meant = closest(unknown, known);
  const end = meant === undefined ? '.' : `, did you mean ${meant}?`;
  return `there is no ${kind.one}${shorten(unknown)}${end} The ${kind.all} are ${known.join(', ')}`;
}
