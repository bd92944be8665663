import { kindOf, writeJson } from '../core/write-json.ts';

/** Name of the only field of a record that stands for a `Date`. */
const dateField = 'carillon:date';

/**
 * Writes the values of a step as JSON. Unlike the client, which sends what JSON makes of a value, this refuses everything that
 * {@link readValues} would not return as its type says.
 *
 * @returns `null` for `undefined`
 * @throws {@link BadValue} for a value that the client refuses, an instance of a class other than `Date`, and an object with a
 * function `toJSON`
 */
export function writeValues(values: unknown): string | null {
  if (values === undefined) return null;
  return writeJson(values, 'values', (given, json) => {
    const problem = problemOf(given);
    if (problem !== undefined) return { problem };
    return { value: isDate(given) ? { [dateField]: Date.prototype.toISOString.call(given) } : json };
  });
}

/** Reads values that {@link writeValues} wrote. */
export function readValues(text: string | null): unknown {
  if (text === null) return undefined;
  return JSON.parse(text, (_, value: unknown) => {
    const isStoredDate = typeof value === 'object' && value !== null && Object.hasOwn(value, dateField);
    return isStoredDate ? new Date(String(Reflect.get(value, dateField))) : value;
  });
}

/** Why an object would come back as something else. The objects that the client refuses have their own sentences. */
function problemOf(given: object): string | undefined {
  if (isDate(given)) return undefined;
  if (Object.hasOwn(given, dateField)) return `has a field ${dateField}, a name that the journal uses itself`;
  if ('toJSON' in given && typeof given.toJSON === 'function') return 'has a function toJSON: pass what it returns';
  const kind = kindOf(given);
  if (['Boolean', 'Number', 'String'].includes(kind)) return `is a ${kind} object: pass its value`;
  if (Array.isArray(given) || kind !== 'Object') return undefined;
  const prototype: unknown = Object.getPrototypeOf(given);
  // A plain object of another realm has that realm's prototype.
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return undefined;
  return 'is an instance of a class: pass a plain object';
}

function isDate(value: unknown): value is Date {
  return kindOf(value) === 'Date';
}
