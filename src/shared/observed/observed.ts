import { isRecord } from '../is-record.ts';
import {
  countClasses,
  integerClasses,
  type JsonType,
  jsonTypes,
  lengthClasses,
  looksLikeFieldName,
  textClasses,
} from './classes.ts';

/** Number of observations per class of value, or per index of a documented value. */
export type Counts = Record<string, number>;

/** Form of the values observed at one place: types, classes and counts, without the values. */
export interface Shape {
  /** Number of values per JSON type. */
  types: Partial<Record<JsonType, number>>;
  /** Number of replies that contain the place. */
  replies: number;
  /** Number of replies that contain it more than once, in several records. */
  multiple: number;
  /** Classes of texts, of their lengths, of whole numbers, and of the lengths of lists. */
  texts?: Counts;
  lengths?: Counts;
  integers?: Counts;
  counts?: Counts;
  /** Number of documented values, by their index in the enum of the spec. */
  values?: Counts;
  /** Number of values that are not in the enum of the spec. */
  otherValues?: number;
  /** Number of texts that do not match the pattern of the spec. */
  misfits?: number;
  /** Fields by name. */
  fields?: Record<string, Shape>;
  /** Number of fields whose names are not written. */
  unnamed?: number;
  /** Set if the object has too many names for a record, as a map has. Only names of the spec are kept then. */
  manyNames?: true;
  items?: Shape;
  /** Form of the values of a map, whose names are data. */
  entries?: Shape;
}

/** Replies of one operation with one status. */
export interface ObservedReply {
  replies: number;
  /** Number of replies with a body. */
  bodies: number;
  body?: Shape;
}

/** Operation → status → replies. A failure with status 200 has the key `200 failure`. */
export type Account = Record<string, Record<string, ObservedReply>>;

/** The content of a file of observations: accounts by a random ID. */
export interface Observed {
  accounts: Record<string, Account>;
}

/** Maximum number of undocumented names per object. */
export const maxNames = 64;
/** Maximum depth of a reply. */
export const maxLevels = 16;
/** Maximum number of statuses per operation. */
export const maxStatuses = 16;
const maxAccounts = 1_000;
/** Maximum size of a file, in characters. */
const maxFileLength = 64 * 1_048_576;

/** A file is not a valid file of observations. The message names the place. */
export class ObservedFileError extends Error {
  override readonly name = 'ObservedFileError';
}

type Combine = (one: number, other: number) => number;
type IsKnown = (name: string) => boolean;

/**
 * Merges files of observations. If an account is in several files, they are states of the same observations, so each count is the highest
 * one. The order of the files does not matter, and merging a file with itself changes nothing.
 */
export function mergeObserved(isKnown: IsKnown, ...all: readonly Observed[]): Observed {
  return combineAll(isKnown, all, Math.max);
}

/** Adds newer observations to those of the same accounts. */
export function addObserved(isKnown: IsKnown, before: Observed, since: Observed): Observed {
  return combineAll(isKnown, [before, since], add);
}

/** Adds the shapes of several operations or accounts, all of whose names are known. */
export function addShapes(one: Shape, other: Shape): Shape {
  return uniteShapes({ isKnown: () => true, combine: add }, one, other);
}

function add(one: number, other: number): number {
  return Math.min(one + other, Number.MAX_SAFE_INTEGER);
}

function combineAll(isKnown: IsKnown, all: readonly Observed[], combine: Combine): Observed {
  const context = { isKnown, combine };
  return {
    accounts: all
      .map(({ accounts }) => accounts)
      .reduce((one, other) => unite(one, other, (a, b) => uniteAccounts(context, a, b)), {}),
  };
}

interface Context {
  isKnown: IsKnown;
  combine: Combine;
}

function uniteAccounts(context: Context, one: Account, other: Account): Account {
  return unite(one, other, (a, b) => {
    const statuses = unite(a, b, (first, second) => uniteReplies(context, first, second));
    // Keep the first names in alphabetical order, so that the order of merging does not matter.
    const kept = Object.keys(statuses).sort().slice(0, maxStatuses);
    return Object.fromEntries(Object.entries(statuses).filter(([status]) => kept.includes(status)));
  });
}

function uniteReplies(context: Context, one: ObservedReply, other: ObservedReply): ObservedReply {
  const body = one.body && other.body ? uniteShapes(context, one.body, other.body) : (one.body ?? other.body);
  return {
    replies: context.combine(one.replies, other.replies),
    bodies: context.combine(one.bodies, other.bodies),
    ...(body && { body }),
  };
}

const countNames = ['texts', 'lengths', 'integers', 'counts', 'values'] as const;
const numberNames = ['otherValues', 'misfits', 'unnamed'] as const;

function uniteShapes(context: Context, one: Shape, other: Shape): Shape {
  const { combine } = context;
  const united: Shape = {
    types: unite(one.types, other.types, combine),
    replies: combine(one.replies, other.replies),
    multiple: combine(one.multiple, other.multiple),
  };
  for (const name of countNames) {
    const counts = unite(one[name] ?? {}, other[name] ?? {}, combine);
    if (Object.keys(counts).length > 0) united[name] = counts;
  }
  for (const name of numberNames) {
    const count = combine(one[name] ?? 0, other[name] ?? 0);
    if (count > 0) united[name] = count;
  }
  const fields = unite(one.fields ?? {}, other.fields ?? {}, (a, b) => uniteShapes(context, a, b));
  const unknown = Object.keys(fields).filter((name) => !context.isKnown(name));
  if (one.manyNames || other.manyNames || unknown.length > maxNames) {
    united.manyNames = true;
    for (const name of unknown) delete fields[name];
  }
  if (Object.keys(fields).length > 0) united.fields = fields;
  for (const name of ['items', 'entries'] as const) {
    const [a, b] = [one[name], other[name]];
    const inner = a && b ? uniteShapes(context, a, b) : (a ?? b);
    if (inner) united[name] = inner;
  }
  return united;
}

function unite<Value>(
  one: Readonly<Record<string, Value>>,
  other: Readonly<Record<string, Value>>,
  both: (a: Value, b: Value) => Value,
): Record<string, Value> {
  const united = new Map(Object.entries(one));
  for (const [name, value] of Object.entries(other)) {
    const known = united.get(name);
    united.set(name, known === undefined ? value : both(known, value));
  }
  return Object.fromEntries(united);
}

const version = 1;

/** Serialises observations. Equal observations give equal text. */
export function writeObserved({ accounts }: Observed): string {
  return `${JSON.stringify(sorted({ carillonObserved: version, accounts }), undefined, 1)}\n`;
}

function sorted(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  );
}

/**
 * Parses a file of observations. Checks all of it, because the file may come from another person.
 *
 * @param name - name of the file in messages
 * @throws `ObservedFileError` that names the place, and what to do
 */
export function readObserved(text: string, name: string, isKnown: IsKnown): Observed {
  if (text.length > maxFileLength) throw new ObservedFileError(`${name} is longer than ${maxFileLength} characters.`);
  let value: unknown;
  try {
    // Editors on Windows add a byte order mark.
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new ObservedFileError(`${name} is not JSON. Name a file that carillon learn or createLearner wrote.`);
  }
  if (!isRecord(value) || value.carillonObserved === undefined) {
    throw new ObservedFileError(`${name} has no observations. Name a file that carillon learn or createLearner wrote.`);
  }
  const { carillonObserved: given } = value;
  if (given !== version) {
    // Any other value may be a secret.
    const found = typeof given === 'number' ? `version ${given}` : 'an unknown version';
    throw new ObservedFileError(
      `${name} has ${found}, and this version of Carillon reads ${version}. Update Carillon.`,
    );
  }
  const reader = new Reader(name, isKnown);
  return { accounts: reader.accounts(value.accounts) };
}

/** Validates the parsed content of a file. */
class Reader {
  readonly #name: string;
  readonly #isKnown: IsKnown;

  constructor(name: string, isKnown: IsKnown) {
    this.#name = name;
    this.#isKnown = isKnown;
  }

  accounts(value: unknown): Record<string, Account> {
    return this.#each(value, 'accounts', maxAccounts, /^[\da-f-]{36}$/, (account, place) =>
      this.#each(account, place, 1_000, /^[a-zA-Z]{1,100}$/, (statuses, inOperation) =>
        this.#each(statuses, inOperation, maxStatuses, /^[1-5]\d\d(?: failure)?$/, (reply, inStatus) =>
          this.#reply(reply, inStatus),
        ),
      ),
    );
  }

  #reply(value: unknown, place: string): ObservedReply {
    const { replies, bodies, body } = this.#record(value, place, ['replies', 'bodies', 'body']);
    return {
      replies: this.#count(replies, `${place}.replies`),
      bodies: this.#count(bodies, `${place}.bodies`),
      ...(body !== undefined && { body: this.#shape(body, `${place}.body`, 0) }),
    };
  }

  #shape(value: unknown, place: string, level: number): Shape {
    if (level > maxLevels) throw this.#error(place, `has more than ${maxLevels} levels`);
    const given = this.#record(value, place, shapeKeys);
    const shape: Shape = {
      types: this.#counts(given.types, `${place}.types`, jsonTypes),
      replies: this.#count(given.replies, `${place}.replies`),
      multiple: this.#count(given.multiple, `${place}.multiple`),
    };
    for (const [name, classes] of Object.entries(classesOf)) {
      const counts = given[name];
      if (counts !== undefined) Object.assign(shape, { [name]: this.#counts(counts, `${place}.${name}`, classes) });
    }
    if (given.values !== undefined) {
      const count = (one: unknown, at: string): number => this.#count(one, at);
      shape.values = this.#each(given.values, `${place}.values`, 1_000, /^\d{1,4}$/, count);
    }
    for (const name of numberNames) {
      if (given[name] !== undefined) shape[name] = this.#count(given[name], `${place}.${name}`);
    }
    if (given.manyNames !== undefined) {
      if (given.manyNames !== true) throw this.#error(`${place}.manyNames`, 'is not true');
      shape.manyNames = true;
    }
    if (given.fields !== undefined) {
      const isName = (name: string): boolean => this.#isKnown(name) || looksLikeFieldName(name);
      const inner = (one: unknown, at: string): Shape => this.#shape(one, at, level + 1);
      shape.fields = this.#each(given.fields, `${place}.fields`, 1_000, isName, inner);
    }
    for (const name of ['items', 'entries'] as const) {
      if (given[name] !== undefined) shape[name] = this.#shape(given[name], `${place}.${name}`, level + 1);
    }
    return shape;
  }

  #counts(value: unknown, place: string, allowed: readonly string[]): Counts {
    const isAllowed = (name: string): boolean => allowed.includes(name);
    return this.#each(value, place, allowed.length, isAllowed, (count, at) => this.#count(count, at));
  }

  #count(value: unknown, place: string): number {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    throw this.#error(place, 'is not a whole number');
  }

  #record(value: unknown, place: string, allowed: readonly string[]): Record<string, unknown> {
    if (!isRecord(value)) throw this.#error(place, 'is not an object');
    const other = Object.keys(value).find((name) => !allowed.includes(name));
    // Do not quote the name, which may be a secret.
    if (other !== undefined) throw this.#error(place, 'has a field that observations do not have');
    return value;
  }

  #each<Value>(
    value: unknown,
    place: string,
    most: number,
    allowed: RegExp | ((name: string) => boolean),
    read: (inner: unknown, place: string) => Value,
  ): Record<string, Value> {
    if (!isRecord(value)) throw this.#error(place, 'is not an object');
    const entries = Object.entries(value);
    if (entries.length > most) throw this.#error(place, `has more than ${most} fields`);
    const isAllowed = (name: string): boolean => (typeof allowed === 'function' ? allowed(name) : allowed.test(name));
    return Object.fromEntries(
      entries.map(([name, inner], index) => {
        if (!isAllowed(name))
          throw this.#error(place, `has a name, number ${index + 1}, that observations do not have`);
        return [name, read(inner, `${place}.${name}`)];
      }),
    );
  }

  #error(place: string, problem: string): ObservedFileError {
    return new ObservedFileError(
      `${this.#name}: ${place} ${problem}. Use the file as carillon learn or createLearner wrote it.`,
    );
  }
}

const classesOf: Readonly<Record<string, readonly string[]>> = {
  texts: textClasses,
  lengths: lengthClasses,
  integers: integerClasses,
  counts: countClasses,
};

const shapeKeys: readonly string[] = [
  'types',
  'replies',
  'multiple',
  'fields',
  'items',
  'entries',
  'manyNames',
  ...countNames,
  ...numberNames,
];
