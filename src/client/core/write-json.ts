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
    // Only a stack overflow is left.
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

/** An object under way: its fields or items, and the one to look at next. */
interface Level {
  object: object;
  keys: readonly (string | number)[];
  next: number;
}

/**
 * Follows a value as `JSON.stringify` does, without recursion: a value that is nested deep does not overflow the stack.
 *
 * @throws {@link BadValue} for the first value that would be lost
 */
function refuseLost(value: unknown, place: string): void {
  const levels: Level[] = [{ object: { '': value }, keys: [''], next: 0 }];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const key = level.keys[level.next];
    level.next += 1;
    if (key === undefined) {
      levels.pop();
      continue;
    }
    try {
      const inner = look(level.object, key, levels);
      if (inner) levels.push(inner);
    } catch (error) {
      const { message, cause } = error instanceof Problem ? error : new Problem('cannot be read', { cause: error });
      throw new BadValue(placeOf(levels, place, message), message, cause === undefined ? {} : { cause });
    }
  }
}

/** A problem of the value at hand. */
class Problem extends Error {}

/** The place of the value at hand. One that is nested too deeply is named by its field: the whole place would be too long. */
function placeOf([, ...levels]: readonly Level[], place: string, message: string): string {
  const shown = message === tooDeep ? levels.slice(0, 1) : levels;
  const whole = shown.reduce((outer, { keys, next }) => {
    const key = keys[next - 1] ?? '';
    return typeof key === 'number' ? `${outer}[${key}]` : inside(outer, key);
  }, place);
  return whole || 'a value';
}

/** Looks at one value. Returns what it contains, if it can contain something. */
function look(holder: object, key: string | number, above: readonly Level[]): Level | undefined {
  const given: unknown = Reflect.get(holder, key);
  const value = jsonValue(given, key);
  // The whole value must not be left out, either.
  const isInList = Array.isArray(holder) || above.length === 1;
  switch (typeof value) {
    case 'bigint':
      throw new Problem('is a BigInt');
    case 'number':
      if (!Number.isFinite(value)) throw new Problem(`is ${value}`);
      return undefined;
    case 'undefined':
      // Left out of a record; `null` in a list.
      if (isInList) throw new Problem('is undefined');
      return undefined;
    case 'function':
    case 'symbol':
      throw new Problem(`is a ${typeof value}`);
    case 'object':
      if (isInvalidDate(given)) throw new Problem('is an invalid Date');
      return value === null ? undefined : contentOf(value, given, above);
    default:
      return undefined;
  }
}

/** Converts a value as `JSON.stringify` does before it writes it. */
function jsonValue(given: unknown, key: string | number): unknown {
  // A BigInt can have one too.
  const toJSON: unknown = typeof given === 'object' || typeof given === 'bigint' ? Object(given).toJSON : undefined;
  const value: unknown = typeof toJSON === 'function' ? toJSON.call(given, String(key)) : given;
  return kindOf(value) === 'Number' ? Number(value) : value;
}

function contentOf(value: object, given: unknown, above: readonly Level[]): Level | undefined {
  if (above.some(({ object }) => object === value)) throw new Problem('refers back to itself');
  if (above.length > mostLevels) throw new Problem(tooDeep);
  if (Array.isArray(value)) return { object: value, keys: [...value.keys()], next: 0 };
  // A buffer makes a plain object of itself.
  const kind = builtInKind(given) ?? builtInKind(value);
  if (kind === 'String' || kind === 'Boolean') return undefined;
  if (kind) throw new Problem(`is ${withArticle(kind)}`);
  return { object: value, keys: Object.keys(value), next: 0 };
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
