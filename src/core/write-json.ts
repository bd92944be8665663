import { BadValue, inside, withArticle } from './bad-value.ts';

/**
 * Writes JSON, of which nothing is lost.
 *
 * @param place - where the value is, for errors: `body`, or an empty string for the fields of a method
 * @throws {@link BadValue} for what JSON cannot hold; also for what it would turn into `null` (`NaN`, `Infinity`, an invalid
 * `Date` and, in a list, `undefined`), and for bytes, a `Blob`, a promise or a `Map`, of which it would write `{}` or numbered
 * fields
 */
export function writeJson(value: unknown, place: string): string {
  let text: unknown;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    refuseLost(value, place);
    // What is left is a stack that overflowed.
    const field = deepField(value);
    if (field !== undefined) throw new BadValue(inside(place, field), tooDeep);
    throw new BadValue(place || 'a value', 'cannot be written as JSON', { cause });
  }
  // A second pass is slow, and few bodies contain these. For a function, for example, there is no text at all.
  if (typeof text !== 'string' || /null|\{\}|\{"0"|"Buffer"/.test(text)) refuseLost(value, place);
  if (typeof text === 'string') return text;
  throw new BadValue(place || 'a value', 'cannot be written as JSON');
}

const tooDeep = 'is nested too deeply';
/** More levels than `JSON.stringify` can write. A getter can make levels without end. */
const mostLevels = 10_000;

/** The name of a field that is nested too deeply. */
function deepField(value: unknown): string | undefined {
  return Object.entries(Object(value)).find(([, field]) => !canBeWritten(field))?.[0];
}

function canBeWritten(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

/** A value to look at. */
interface Visit {
  holder: object;
  key: string | number;
  place: string;
  /** The object that contains it, and those that contain that one. */
  above: Level | undefined;
}

interface Level {
  object: object;
  depth: number;
  /** Place of the field of the whole value that contains it. */
  field: string;
  above: Level | undefined;
}

/**
 * Follows a value as `JSON.stringify` does, without recursion.
 *
 * @throws {@link BadValue} for the first value that would be lost
 */
function refuseLost(value: unknown, place: string): void {
  const visits: Visit[] = [{ holder: { '': value }, key: '', place, above: undefined }];
  for (let visit = visits.pop(); visit; visit = visits.pop()) {
    const inner = look(visit);
    // The first one is looked at next.
    for (const next of inner.reverse()) visits.push(next);
  }
}

/** Looks at one value, and returns those that it contains. */
function look({ holder, key, place, above }: Visit): Visit[] {
  const [given, value] = read(holder, key, place);
  const isInList = Array.isArray(holder) || above === undefined;
  switch (typeof value) {
    case 'bigint':
      throw new BadValue(place, 'is a BigInt');
    case 'number':
      if (!Number.isFinite(value)) throw new BadValue(place, `is ${value}`);
      return [];
    case 'undefined':
      // Left out of a record; `null` in a list.
      if (isInList) throw new BadValue(place, 'is undefined');
      return [];
    case 'function':
    case 'symbol':
      if (isInList) throw new BadValue(place, `is a ${typeof value}`);
      return [];
    case 'object':
      if (isInvalidDate(given)) throw new BadValue(place, 'is an invalid Date');
      return value === null ? [] : contentOf(value, given, place, above);
    default:
      return [];
  }
}

function contentOf(value: object, given: unknown, place: string, above: Level | undefined): Visit[] {
  for (let level = above; level; level = level.above) {
    if (level.object === value) throw new BadValue(place, 'refers back to itself');
  }
  const depth = (above?.depth ?? 0) + 1;
  const level: Level = { object: value, depth, field: depth <= 2 ? place : (above?.field ?? place), above };
  if (depth > mostLevels) throw new BadValue(level.field, tooDeep);
  if (Array.isArray(value)) {
    return Array.from({ length: value.length }, (_, index) => ({
      holder: value,
      key: index,
      place: `${place}[${index}]`,
      above: level,
    }));
  }
  // A buffer makes a plain object of itself.
  const kind = builtInKind(given) ?? builtInKind(value);
  if (kind === 'String' || kind === 'Boolean') return [];
  if (kind) throw new BadValue(place, `is ${withArticle(kind)}`);
  return keysOf(value, place).map((name) => ({ holder: value, key: name, place: inside(place, name), above: level }));
}

/** A value as it is, and as its `toJSON` gives it. */
function read(holder: object, key: string | number, place: string): [given: unknown, value: unknown] {
  try {
    const given: unknown = Reflect.get(holder, key);
    // A BigInt can have one too.
    const toJSON: unknown = typeof given === 'object' || typeof given === 'bigint' ? Object(given).toJSON : undefined;
    const value: unknown = typeof toJSON === 'function' ? toJSON.call(given, String(key)) : given;
    return [given, kindOf(value) === 'Number' ? Number(value) : value];
  } catch (cause) {
    throw new BadValue(place, 'cannot be read', { cause });
  }
}

function keysOf(value: object, place: string): string[] {
  try {
    return Object.keys(value);
  } catch (cause) {
    throw new BadValue(place, 'cannot be read', { cause });
  }
}

function isInvalidDate(value: unknown): boolean {
  return kindOf(value) === 'Date' && Number.isNaN(Date.prototype.getTime.call(value));
}

/** The name of a built-in type, also of another realm, such as a frame or a Jest sandbox, of which `instanceof` says no. */
export function kindOf(value: unknown): string {
  return {}.toString.call(value).slice(8, -1);
}

/**
 * The name of the built-in type of an object that is no plain one, such as `Map`. An object of a class of the program is a
 * plain one, also if the class gives it a name of its own.
 */
export function builtInKind(value: unknown): string | undefined {
  const kind = kindOf(value);
  if (typeof value !== 'object' || value === null || kind === 'Object' || Array.isArray(value)) return undefined;
  return kind in globalThis || Object.keys(value).length === 0 ? kind : undefined;
}
