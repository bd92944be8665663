import type { JsonValue } from '../../../scripts/spec/schema.ts';
import { isObject, isPrimitive, type JsonObject, type Primitive } from '../../support/json-value.ts';
import type { Readings } from './read-after.ts';

/** A value that was written to a field, and what the operations that read return then. */
export interface Written {
  value: Primitive;
  read: Readings;
}

/**
 * Whether a place has one value after one request, and the other value after the other one. It has the name of the field
 * or of the object that the field is in. Any other place counts only if none has the name of the field.
 */
export function isReadBack([name = '', ...above]: readonly string[], one: Written, other: Written): boolean {
  const found = compare(one, other);
  // Requests and replies differ in types: a phone number is a text in one, and a number in the other.
  const has = (side: Difference['side'], place: string, value: Primitive): boolean =>
    found.some((at) => at.side === side && at.place === place && String(at.value) === String(value));
  const places = [...new Set(found.map(({ place }) => place))];
  const named = places.filter((place) => place.endsWith(`.${name}`));
  const parents = places.filter((place) => above.some((parent) => place.endsWith(`.${parent}`)));
  const possible = named.length > 0 ? [...named, ...parents] : places;
  return possible.some((place) => has('one', place, one.value) && has('other', place, other.value));
}

/** A value in an object that is in the replies after one request, and not in those after another one. */
interface Difference {
  side: 'one' | 'other';
  /** Names on the way to the value, without those of entries of lists. */
  place: string;
  value: Primitive;
}

function compare(one: Written, other: Written): Difference[] {
  const [first, second] = [objectsIn(one.read), objectsIn(other.read)];
  return [...differences('one', first, second), ...differences('other', second, first)];
}

function differences(side: Difference['side'], present: Objects, absent: Objects): Difference[] {
  return [...present].flatMap(([key, { place, object, count }]) => {
    if (count <= (absent.get(key)?.count ?? 0)) return [];
    return Object.entries(object).flatMap(([name, content]) =>
      [content].flat().flatMap((value) => (isPrimitive(value) ? { side, place: `${place}.${name}`, value } : [])),
    );
  });
}

type Objects = ReadonlyMap<string, { place: string; object: JsonObject; count: number }>;

/** The objects in replies, by place and content: a list may have another order after another request. */
function objectsIn(read: Readings): Objects {
  const found = new Map<string, { place: string; object: JsonObject; count: number }>();
  const visit = (value: JsonValue, place: string): void => {
    if (Array.isArray(value)) for (const one of value) visit(isPrimitive(one) ? { '': one } : one, place);
    else if (isObject(value)) {
      const key = `${place} ${JSON.stringify(value)}`;
      found.set(key, { place, object: value, count: (found.get(key)?.count ?? 0) + 1 });
      for (const [name, one] of Object.entries(value)) visit(one, `${place}.${name}`);
    }
  };
  for (const [request, reply] of read) visit(reply, request.replace(/\/\d.*/, ''));
  return found;
}
