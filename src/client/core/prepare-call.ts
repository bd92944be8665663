import { keyOf, type Operation, type OperationRecord } from '../../shared/operation.ts';
import { BadValue, shorten, withArticle } from './bad-value.ts';
import { CarillonError } from './errors/base.ts';
import { ArgumentError } from './errors/local-errors.ts';
import { writeQuery } from './openapi-client.ts';
import type { CallOptions } from './options.ts';
import { fillPath } from './path.ts';
import { defaultLimits, readLimits } from './settings.ts';
import { retrace } from './stack.ts';
import { type NameKind, unknownName } from './unknown-name.ts';
import { builtInKind } from './write-json.ts';

/** A call whose arguments have been checked, encoded and written. */
export interface PreparedCall extends CallOptions {
  record: OperationRecord;
  /** The path template with its values. */
  filledPath: string;
  /** The query without `?`, or an empty string. */
  query: string;
  /** JSON, or a function that first reads the content of a `Blob`. */
  body: string | undefined | (() => Promise<string>);
}

/** The parts of a request, before they are written. */
export interface CallParts {
  options: CallOptions;
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: string | undefined | (() => Promise<string>);
  /** Paths of the path and query values, for errors. */
  places: { path: string; query: string };
}

/** Names of the options of a call. The type requires all of them. */
export const callOptionNames = /* @__PURE__ */ Object.keys({
  signal: true,
  timeout: true,
  attemptTimeout: true,
  maxRetries: true,
  replayCreates: true,
  headers: true,
} satisfies Record<keyof CallOptions, true>);

/**
 * Checks and writes the arguments of a call. Runs synchronously, to have the caller in the stack trace.
 *
 * @param called - the function that the program called; the stack trace of an error begins with its caller
 * @throws {@link ArgumentError} naming the place, never a value, or `ConfigError` for a limit
 */
export function prepareCall(
  { method, path, record }: Omit<Operation, 'record'> & { record: OperationRecord | undefined },
  called: (...args: never) => unknown,
  takeApart: (operation: Operation) => CallParts,
): PreparedCall {
  try {
    if (!record) throw new ArgumentError(`There is no operation ${method} ${path}`);
    const operation = { method, path, record };
    try {
      const { options, places, ...parts } = takeApart(operation);
      checkSignal(options.signal);
      checkHeaders(options.headers);
      // The values are those of the client, but errors are found here, where the caller is on the stack.
      readLimits(options, defaultLimits);
      return {
        ...options,
        record,
        filledPath: fillPath(operation, parts.path, places.path),
        query: writeQuery(parts.query, places.query, record.styles),
        body: parts.body && readLater(operation, parts.body),
      };
    } catch (error) {
      throw argumentError(keyOf(operation), error);
    }
  } catch (error) {
    if (error instanceof CarillonError) retrace(error, called);
    throw error;
  }
}

/** Makes a body that is read later report its errors like the other checks. */
function readLater(operation: Operation, body: string | (() => Promise<string>)): string | (() => Promise<string>) {
  if (typeof body === 'string') return body;
  return () =>
    body().catch((error: unknown) => {
      throw argumentError(keyOf(operation), error);
    });
}

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

function checkSignal(signal: unknown): void {
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

function checkHeaders(headers: unknown): void {
  if (headers === undefined || headers === null || headers instanceof Headers) return;
  for (const [name, value] of Object.entries(readFields(headers, 'headers'))) {
    // openapi-fetch omits these.
    if (value === undefined || value === null) continue;
    try {
      // `String` would also convert an object or a promise.
      if (!['string', 'number', 'boolean'].includes(typeof value)) throw new TypeError();
      new Headers([[name, String(value)]]);
    } catch {
      // Omit the cause, because it can contain the value.
      throw new BadArgument(`the header ${JSON.stringify(shorten(name))} is not valid`);
    }
  }
}
