import { BadValue, inside, withArticle } from './bad-value.ts';

/** An object that is being written, and its name in the enclosing object. */
interface Level {
  object: unknown;
  name: string;
}

type Convert = (given: object, json: unknown) => { value: unknown } | { problem: string };

/**
 * Writes JSON. Throws for values that would be lost.
 *
 * @param place - path of the value, for errors: `body`, or an empty string for the fields of a method
 * @param convert - returns the value to write for an object, or the problem with the object; `json` is the value that JSON
 * would write
 * @throws {@link BadValue} for a value that JSON cannot represent, that it would write as `null` (`NaN`, `Infinity`, an invalid
 * `Date` and, in a list, `undefined`), or that it would write as `{}` or numbered fields (bytes, a `Blob`, a promise or a `Map`)
 */
export function writeJson(value: unknown, place: string, convert?: Convert): string {
  /** The outermost value first. */
  const levels: Level[] = [];
  const placeOf = (shown: readonly Level[]): string =>
    shown.slice(1).reduce((outer, { name }, index) => {
      return Array.isArray(shown[index]?.object) ? `${outer}[${name}]` : inside(outer, name);
    }, place) || 'a value';
  const bad = (name: string, problem: string, options?: ErrorOptions): BadValue =>
    new BadValue(placeOf([...levels, { object: undefined, name }]), problem, options);

  /** @param json - what `toJSON` returned, or the value itself */
  function write(this: object, name: string, json: unknown): unknown {
    while (levels.length > 0 && levels.at(-1)?.object !== this) levels.pop();
    // JSON omits `undefined` in a record. In a list, JSON would write `null`.
    if (json === undefined && levels.length > 0 && !Array.isArray(this)) return json;
    const given: unknown = convert || typeof json === 'object' ? Reflect.get(this, name) : json;
    if (json === null && isInvalidDate(given)) throw bad(name, 'is an invalid Date');
    let written = json;
    if (convert && typeof given === 'object' && given !== null) {
      const converted = convert(given, json);
      if ('problem' in converted) throw bad(name, converted.problem);
      written = converted.value;
    }
    const problem = problemOf(written, written === json ? given : undefined);
    if (problem !== undefined) throw bad(name, problem);
    if (typeof written !== 'object' || written === null) return written;
    if (levels.some(({ object }) => object === written)) throw bad(name, 'refers back to itself');
    levels.push({ object: written, name });
    return written;
  }

  try {
    return JSON.stringify(value, write);
  } catch (cause) {
    if (cause instanceof BadValue) throw cause;
    // The stack is full. The whole path would be too long.
    if (levels.length > minDeep) throw new BadValue(placeOf(levels.slice(0, 2)), 'is nested too deeply');
    // A getter or a `toJSON` threw, in the innermost object or, after that was written, in an enclosing object.
    for (; levels.length > 0; levels.pop()) {
      const object = Object(levels.at(-1)?.object);
      const field = Object.keys(object).find((name) => !canBeWritten(object, name));
      if (field !== undefined) throw bad(field, 'cannot be read', { cause });
    }
    throw new BadValue(place || 'a value', 'cannot be written as JSON', { cause });
  }
}

/** Number of levels that no data reaches. `JSON.stringify` can write a few thousand levels. */
const minDeep = 500;

function canBeWritten(object: object, name: string): boolean {
  try {
    JSON.stringify(Reflect.get(object, name));
    return true;
  } catch {
    return false;
  }
}

function problemOf(written: unknown, given: unknown): string | undefined {
  switch (typeof written) {
    case 'bigint':
      return 'is a BigInt';
    case 'number':
      return Number.isFinite(written) ? undefined : `is ${written}`;
    case 'undefined':
      return 'is undefined';
    case 'function':
    case 'symbol':
      return `is a ${typeof written}`;
    case 'object': {
      // The `toJSON` of a buffer returns a plain object.
      const kind = builtInKind(given) ?? builtInKind(written);
      if (kind === 'Number') return problemOf(Number(written), given);
      return kind === undefined || written === null || kind === 'String' || kind === 'Boolean'
        ? undefined
        : `is ${withArticle(kind)}`;
    }
    default:
      return undefined;
  }
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
