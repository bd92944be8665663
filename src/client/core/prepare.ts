import type { CallOptions } from '../../shared/call-types.ts';
import { type NameKind, shorten, unknownName } from '../../shared/did-you-mean.ts';
import { keyOf, type Operation, type OperationRecord, own } from '../../shared/operation.ts';
import { BadValue, inside, withArticle } from './bad-value.ts';
import { encodeField, UnreadField } from './encode.ts';
import { CarillonError, retrace } from './errors/base.ts';
import { ArgumentError } from './errors/local-errors.ts';
import { defaultLimits, isHeader, readLimits } from './settings.ts';
import { builtInKind, writeJson } from './write-json.ts';

/** Names of the options of a call. The type requires every name. */
export const callOptionNames = /* @__PURE__ */ Object.keys({
  signal: true,
  timeout: true,
  attemptTimeout: true,
  maxRetries: true,
  replayCreates: true,
  headers: true,
} satisfies Record<keyof CallOptions, true>);

/** A called operation. Without types, a caller can request an operation that does not exist. */
export type Called = Omit<Operation, 'record'> & { record: OperationRecord | undefined };

/** The arguments of a call, checked and encoded. */
export interface PreparedCall {
  record: OperationRecord;
  /** Path values as strings. */
  path: Record<string, string>;
  /** Query values as JSON values. */
  query: Record<string, unknown>;
  /** JSON, or a body with files that are read during the call. */
  body: string | UnreadBody | undefined;
  options: CallOptions;
}

/**
 * A prepared call, or the error in its arguments. The error is a value, because it is created while the caller is on the stack,
 * but rejects a promise later.
 */
export type Prepared<Call extends PreparedCall = PreparedCall> = { call: Call } | { error: unknown };

/** A prepared method call, which a list repeats for each page. */
export interface PreparedMethodCall extends PreparedCall {
  /** A copy of the flat parameters. */
  params: Record<string, unknown>;
}

/** A body that is written after its files have been read. */
export interface UnreadBody {
  fields: Record<string, unknown>;
  wrap: string | undefined;
}

/** The function that the program called. The stack trace of an error begins with its caller. */
type CalledFunction = (...args: never) => unknown;

/** The options argument of a call by path. */
export interface PathInit extends CallOptions {
  params?: {
    path?: Record<string, unknown>;
    query?: Record<string, unknown> | undefined;
  };
  body?: unknown;
}

/** Prepares a method call. The options are the first argument if the operation has no parameters. */
export function prepareMethod(
  operation: Operation,
  args: readonly unknown[],
  called: CalledFunction,
): Prepared<PreparedMethodCall> {
  try {
    const { bare, wrap } = operation.record;
    checkCount(args, bare ? ['options'] : ['parameters', 'options']);
    const given = bare ? undefined : args[0];
    const others = bare ? args[0] : args[1];
    const options: CallOptions = readFields(others, 'options');
    checkNames(options, callOptionNames, { one: 'option ', all: 'options' });
    const params = readFields(given, 'parameters');
    const values = placeFields(operation, params);
    const { body } = values;
    // Also write a body with unread files, to report its other invalid fields now.
    const written = body && writeBody(body, wrap);
    const isUnread =
      operation.record.encode && body && Object.values(body).some((field) => field instanceof UnreadField);
    const call = check(operation, options, values, '', isUnread ? { fields: body, wrap } : written);
    return { call: Object.assign(call, { params }) };
  } catch (error) {
    return failure(operation, error, called);
  }
}

/**
 * Prepares a call by path.
 *
 * @param args - the arguments after the path
 */
export function preparePath(
  { method, path, record }: Called,
  args: readonly unknown[],
  called: CalledFunction,
): Prepared {
  const operation = record && { method, path, record };
  try {
    if (!operation) throw new ArgumentError(`There is no operation ${method} ${path}`);
    // The path comes first.
    checkCount(['path', ...args], ['path', 'options']);
    const given: PathInit = readFields(args[0], 'options');
    checkNames(given, [...callOptionNames, 'params', 'body'], { one: 'option ', all: 'options' });
    const { params, body, signal, timeout, attemptTimeout, maxRetries, replayCreates, headers } = given;
    const named = { signal, timeout, attemptTimeout, maxRetries, replayCreates, headers };
    const options = named satisfies Record<keyof CallOptions, unknown>;
    const places = readFields(params, 'params');
    checkNames(places, ['path', 'query'], { one: 'params.', all: 'params' });
    // The error from `fetch` would look like a lost connection.
    if (method === 'GET' && body !== undefined) throw new BadArgument('GET has no body');
    const values: Values = {
      path: readFields(places.path, 'params.path'),
      query: readFields(places.query, 'params.query'),
    };
    const json = body === undefined ? undefined : writeJson(body, 'body');
    return { call: check(operation, options, values, 'params.', json) };
  } catch (error) {
    return failure({ method, path }, error, called);
  }
}

/** Empty values, for a location that has none. Most calls have values in only one or two locations. */
const none: Readonly<Record<string, never>> = Object.freeze({});

/** Values for the path and the query. */
interface Values {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
}

/**
 * Checks what method calls and calls by path have in common.
 *
 * @param place - prefix of `path` and `query` in the location of a value, for errors; an empty string for a method call,
 * because its parameters are flat
 */
function check(
  operation: Operation,
  options: CallOptions,
  values: Values,
  place: '' | 'params.',
  body: PreparedCall['body'],
): PreparedCall {
  checkSignal(options.signal);
  checkHeaders(options.headers);
  // The client's own defaults do not matter here. This call only finds errors, while the caller is on the stack.
  readLimits(options, defaultLimits);
  const path = readPath(operation, values.path, place && `${place}path`);
  const query = readQuery(values.query, place && `${place}query`);
  return { record: operation.record, path, query, body, options };
}

function failure(
  operation: Pick<Operation, 'method' | 'path'>,
  cause: unknown,
  called: CalledFunction,
): { error: unknown } {
  const error = argumentError(keyOf(operation), cause);
  retrace(error, called);
  return { error };
}

/**
 * Distributes flat parameters to path, query and body, as the operation's record specifies, and encodes fields such as files.
 *
 * @returns the values for each location; `body` is `undefined` if no field belongs to the body
 */
export function placeFields(
  { method, record }: Operation,
  params: Record<string, unknown>,
): Values & { body: Record<string, unknown> | undefined } {
  const { encode = {}, params: places = {}, paging } = record;
  const placed: { [Place in 'path' | 'query' | 'body']?: [string, unknown][] } = {};
  for (const [name, value] of Object.entries(params)) {
    // A list filter can accept any field, so a misspelled `limit` would be sent as a filter, and the list would not be paged.
    const meant = paging && [paging.limit, paging.offset].find((right) => isClose(name, right));
    if (meant && meant !== name) throw new BadArgument(`'${name}' looks like a misspelling of '${meant}'`);
    if (!record.open && callOptionNames.includes(name)) {
      throw new BadArgument(`'${name}' is an option, not a parameter: pass it as the second argument`);
    }
    const place = own(places, name) ?? (method === 'GET' ? 'query' : 'body');
    const encoding = place === 'body' ? own(encode, name) : undefined;
    placed[place] ??= [];
    placed[place].push([name, encoding ? encodeField(value, encoding, name) : value]);
  }
  return {
    path: placed.path ? Object.fromEntries(placed.path) : none,
    query: placed.query ? Object.fromEntries(placed.query) : none,
    body: placed.body && Object.fromEntries(placed.body),
  };
}

/** Whether two words are equal or differ by a single typing error. */
function isClose(one: string, other: string): boolean {
  const cut = (word: string): string[] => [word, ...[...word].map((_, at) => word.slice(0, at) + word.slice(at + 1))];
  return cut(one).some((part) => cut(other).includes(part));
}

function writeBody(fields: Record<string, unknown>, wrap: string | undefined): string {
  const json = writeJson(fields, '');
  return wrap ? `{${JSON.stringify(wrap)}:${json}}` : json;
}

/**
 * Reads the files in a body, and writes the body as JSON.
 *
 * @throws {@link ArgumentError} if a file cannot be read
 */
export async function readBodyFiles(
  { fields, wrap }: UnreadBody,
  operation: Pick<Operation, 'method' | 'path'>,
): Promise<string> {
  try {
    const read: [string, unknown][] = [];
    // Read one at a time, to stop at the first error.
    for (const [name, field] of Object.entries(fields)) {
      read.push([name, field instanceof UnreadField ? await field.read() : field]);
    }
    return writeBody(Object.fromEntries(read), wrap);
  } catch (error) {
    throw argumentError(keyOf(operation), error);
  }
}

/**
 * Reads the values for a path template such as `/deals/{dealId}`. Throws for values that could lead to a different path:
 * missing and empty values, `.` and `..` (which openapi-fetch accepts and URL parsers resolve, even if percent-encoded), and
 * values of the wrong type.
 *
 * @param place - path of the values, for errors
 * @throws {@link BadValue} that names the parameter, but never its value
 */
export function readPath(
  { path, record }: Pick<Operation, 'path' | 'record'>,
  values: Readonly<Record<string, unknown>>,
  place: string,
): Record<string, string> {
  const names = path.match(/[^{}]+(?=\})/g);
  if (!names) return none;
  const strings: Record<string, string> = {};
  for (const name of names) {
    const value = own(values, name);
    const problem = problemOf(value, record.text?.includes(name) === true);
    if (problem) throw new BadValue(inside(place, name), problem);
    strings[name] = String(value);
  }
  return strings;
}

function problemOf(value: unknown, isString: boolean): string | undefined {
  if (value === undefined || value === null) return 'is missing';
  if (!isString) {
    const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
    return Number.isSafeInteger(number) ? undefined : 'must be an integer';
  }
  if (typeof value !== 'string') return 'must be a string';
  if (value === '') return 'must not be empty';
  // URL parsers resolve a dot segment even if it is percent-encoded (WHATWG URL, "double-dot path segment").
  if (/^(\.|%2e){1,2}$/i.test(value)) return "must not be '.' or '..', even if percent-encoded";
  return isWellFormed(value) ? undefined : 'must be well-formed Unicode';
}

/**
 * Reads the values for a query as JSON values, so that a `Date` becomes a string. Omits `undefined`, as JSON does.
 *
 * @param place - path of the values, for errors
 * @throws {@link BadValue} that names the parameter, but never its value, if JSON or a query cannot represent it
 */
function readQuery(query: Readonly<Record<string, unknown>>, place: string): Record<string, unknown> {
  if (query === none) return none;
  const entries = Object.entries(query)
    .filter(([, given]) => given !== undefined)
    .map(([name, given]): [string, unknown] => {
      const value: unknown = JSON.parse(writeJson(given, inside(place, name)));
      if (!fitsQuery(value)) throw new BadValue(inside(place, name), 'cannot be written in a URL');
      return [name, value];
    });
  return Object.fromEntries(entries);
}

/** Whether a query can represent a JSON value: a scalar, or a list of scalars. */
function fitsQuery(value: unknown): boolean {
  return [value]
    .flat()
    .every((item) => (typeof item === 'string' ? isWellFormed(item) : typeof item !== 'object' || item === null));
}

/** Whether a string has no lone surrogate, which UTF-8 cannot represent. */
function isWellFormed(value: string): boolean {
  return !/\p{Surrogate}/u.test(value);
}

/** Converts an error to an `ArgumentError` that names the operation. Returns an error of the client unchanged. */
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

/** The field with a getter that throws. */
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

/**
 * Throws if a function receives more arguments than it takes. Extra arguments may be `undefined`, because wrappers pass such
 * arguments.
 */
export function checkCount(args: readonly unknown[], names: readonly string[]): void {
  if (args.length <= names.length || args.slice(names.length).every((extra) => extra === undefined)) return;
  const only = names.length === 1 ? `the ${names[0]}` : names.join(' and ');
  throw new BadArgument(`too many arguments: pass only ${only}`);
}

/** Throws for unknown names, and suggests the closest known name. */
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
    // openapi-fetch omits such headers.
    if (value === undefined || value === null) continue;
    if (!isHeader(name, value)) throw new BadArgument(`the header ${JSON.stringify(shorten(name))} is not valid`);
  }
}
