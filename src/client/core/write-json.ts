import { BadValue, inside, withArticle } from './bad-value.ts';

/**
 * Writes JSON. Refuses values that would be lost.
 *
 * @param place - path of the value, for errors: `body`, or an empty string for the fields of a method
 * @throws {@link BadValue} for a value that JSON cannot represent, that it would write as `null` (`NaN`, `Infinity`, an invalid
 * `Date` and, in a list, `undefined`), or that it would write as `{}` or numbered fields (bytes, a `Blob`, a promise or a `Map`)
 */
export function writeJson(value: unknown, place: string): string {
  let text: unknown;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    refuseLost(value, place);
    // The only remaining cause is a stack overflow.
    const field = deepField(value);
    if (field !== undefined) throw new BadValue(inside(place, field), tooDeep);
    throw new BadValue(place || 'a value', 'cannot be written as JSON', { cause });
  }
  // A second pass is slow, and few bodies contain these. For some values, such as a function, the result is `undefined`.
  if (typeof text !== 'string' || /null|\{\}|\{"0"|"Buffer"/.test(text)) refuseLost(value, place);
  if (typeof text === 'string') return text;
  throw new BadValue(place || 'a value', 'cannot be written as JSON');
}

const tooDeep = 'is nested too deeply';
/** Limit of nesting, deeper than `JSON.stringify` can write. A getter can return endless levels. */
const maxLevels = 10_000;

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

/** An object being visited: its fields or items, and the next one to visit. */
interface Level {
  object: object;
  keys: readonly (string | number)[];
  next: number;
}

/**
 * Visits a value as `JSON.stringify` does. Does not recurse, so that deep nesting cannot overflow the stack.
 *
 * @param problemOf - returns the rest of a sentence about an object that is refused, too
 * @throws {@link BadValue} for the first value that would be lost
 */
export function refuseLost(value: unknown, place: string, problemOf?: (given: object) => string | undefined): void {
  const levels: Level[] = [{ object: { '': value }, keys: [''], next: 0 }];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const key = level.keys[level.next];
    level.next += 1;
    if (key === undefined) {
      levels.pop();
      continue;
    }
    try {
      const inner = look(level.object, key, levels, problemOf);
      if (inner) levels.push(inner);
    } catch (error) {
      const { message, cause } = error instanceof Problem ? error : new Problem('cannot be read', { cause: error });
      throw new BadValue(placeOf(levels, place, message), message, cause === undefined ? {} : { cause });
    }
  }
}

/** A problem of the visited value. */
class Problem extends Error {}

/**
 * Path of the visited value. For a value that is nested too deeply, only its top-level field, because the whole path would be too
 * long.
 */
function placeOf([, ...levels]: readonly Level[], place: string, message: string): string {
  const shown = message === tooDeep ? levels.slice(0, 1) : levels;
  const whole = shown.reduce((outer, { keys, next }) => {
    const key = keys[next - 1] ?? '';
    return typeof key === 'number' ? `${outer}[${key}]` : inside(outer, key);
  }, place);
  return whole || 'a value';
}

/** Checks one value. Returns its content if it is an object or a list. */
function look(
  holder: object,
  key: string | number,
  above: readonly Level[],
  problemOf?: (given: object) => string | undefined,
): Level | undefined {
  const given: unknown = Reflect.get(holder, key);
  const problem = typeof given === 'object' && given !== null ? problemOf?.(given) : undefined;
  if (problem !== undefined) throw new Problem(problem);
  const value = jsonValue(given, key);
  // The top-level value must not be omitted either.
  const isInList = Array.isArray(holder) || above.length === 1;
  switch (typeof value) {
    case 'bigint':
      throw new Problem('is a BigInt');
    case 'number':
      if (!Number.isFinite(value)) throw new Problem(`is ${value}`);
      return undefined;
    case 'undefined':
      // Omitted in a record, but `null` in a list.
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
  // `BigInt.prototype` can have one too.
  const toJSON: unknown = typeof given === 'object' || typeof given === 'bigint' ? Object(given).toJSON : undefined;
  const value: unknown = typeof toJSON === 'function' ? toJSON.call(given, String(key)) : given;
  return kindOf(value) === 'Number' ? Number(value) : value;
}

function contentOf(value: object, given: unknown, above: readonly Level[]): Level | undefined {
  if (above.some(({ object }) => object === value)) throw new Problem('refers back to itself');
  if (above.length > maxLevels) throw new Problem(tooDeep);
  if (Array.isArray(value)) return { object: value, keys: [...value.keys()], next: 0 };
  // The `toJSON` of a buffer returns a plain object.
  const kind = builtInKind(given) ?? builtInKind(value);
  if (kind === 'String' || kind === 'Boolean') return undefined;
  if (kind) throw new Problem(`is ${withArticle(kind)}`);
  return { object: value, keys: Object.keys(value), next: 0 };
}

function isInvalidDate(value: unknown): boolean {
  return kindOf(value) === 'Date' && Number.isNaN(Date.prototype.getTime.call(value));
}

/** Name of a built-in type. Unlike `instanceof`, it works for objects of another realm, such as a frame or a Jest sandbox. */
export function kindOf(value: unknown): string {
  return {}.toString.call(value).slice(8, -1);
}

/**
 * Name of the built-in type of an object that is not plain, such as `Map`. An instance of the program's own class counts as
 * plain, even if the class sets `Symbol.toStringTag`.
 */
export function builtInKind(value: unknown): string | undefined {
  const kind = kindOf(value);
  if (typeof value !== 'object' || value === null || kind === 'Object' || Array.isArray(value)) return undefined;
  return kind in globalThis || Object.keys(value).length === 0 ? kind : undefined;
}
