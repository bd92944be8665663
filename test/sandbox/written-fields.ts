import { resolve, type SpecOperation } from '../../scripts/spec/model.ts';
import { sdkOf } from '../../scripts/spec/parameters.ts';
import type { JsonValue, Schema, SpecDocument } from '../../scripts/spec/schema.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { isObject, valueAt } from '../support/json-value.ts';
import { send } from './framework/raw.ts';
import { day, start } from './support.ts';

/** Whether replies contain the values that an operation writes to a field. */
export type Outcome = 'is read back' | 'changes a reply' | 'changes no reply' | 'has no second value';

/** A field of a body. Its place has `0` for each list, since all entries of a list have the same fields. */
interface Field {
  place: readonly string[];
  /** The place as text, such as `email.to[].name` or `variables.*`. */
  name: string;
  schema: Schema;
}

/** Known values of fields, by name. */
type Pool = ReadonlyMap<string, ReadonlySet<Primitive>>;

type Primitive = string | number | boolean | null;

/** A value that the sandbox accepts for a field, and what the operations that read return after it was written. */
interface Written {
  value: JsonValue;
  read: ReadonlyMap<string, JsonValue>;
}

/** Before the story of the examples, so that dates of the examples are in the future. */
const startAt = Date.UTC(2026, 10, 2, 12);
/** Then all that was sent has arrived. */
const later = 2 * day;

/** How many values to try for a field. */
const mostValues = 40;
/** How many values to try together with another value of another field. */
const fewValues = 8;
/** How many bodies with the same value to compare. */
const mostAlike = 3;
/** How many accepted bodies to compare, of a field that is read back, and of one that no reply contains. */
const mostCompared = { read: 12, unread: 3 };

/** An address that the sandbox of `prepare` may send from, and that is unsubscribed. */
const otherAddress = 'other@example.com';

/**
 * Writes several values of each field of a body, each into a sandbox of its own, and compares what can be read then. A
 * field is read back if replies contain one of the values after one request, and another one after another request.
 *
 * @param operations - those of the spec
 * @param unread - names of fields that need no long search, because no reply contains them
 */
export async function examineFields(
  operation: SpecOperation,
  operations: readonly SpecOperation[],
  unread: readonly string[],
): Promise<Map<string, Outcome>> {
  const { body, spec } = operation;
  const outcomes = new Map<string, Outcome>();
  const pool = valuesOfExamples(operations);
  const readers = operations.filter((one) => one.operation['x-effect'] === 'read');
  for (const { value: example } of Object.values(body?.examples ?? {})) {
    const fields = fieldsOf(spec.document, body?.schema ?? {}, example);
    for (const field of fields) {
      const { name } = field;
      const before = outcomes.get(name);
      if (before === 'is read back') continue;
      const isUnread = unread.includes(name);
      const others = isUnread ? [] : fields.filter((other) => other !== field && isBeside(other, field));
      const bodies = bodiesFor(example, field, others, pool);
      const most = mostCompared[isUnread ? 'unread' : 'read'];
      const outcome = await examine(operation, bodies, namesOf(name), readers, most);
      // Fields exclude each other, so the best outcome of all examples counts.
      if (!before || order.indexOf(outcome) < order.indexOf(before)) outcomes.set(name, outcome);
    }
  }
  return outcomes;
}

const order: readonly Outcome[] = ['is read back', 'changes a reply', 'changes no reply', 'has no second value'];

async function examine(
  operation: SpecOperation,
  bodies: Iterable<{ value: JsonValue; body: JsonValue }>,
  names: readonly string[],
  readers: readonly SpecOperation[],
  most: number,
): Promise<Outcome> {
  const written: Written[] = [];
  let isDifferent = false;
  for (const { value, body } of bodies) {
    if (written.filter((before) => before.value === value).length === mostAlike) continue;
    const read = await readAfter(operation, body, readers);
    if (!read) continue;
    const one: Written = { value, read };
    for (const other of written.filter((before) => before.value !== value)) {
      const differences = compare(other, one);
      if (isReadBack(names, differences, other, one)) return 'is read back';
      isDifferent ||= differences.length > 0;
    }
    written.push(one);
    if (written.length === most) break;
  }
  if (isDifferent) return 'changes a reply';
  return new Set(written.map(({ value }) => value)).size > 1 ? 'changes no reply' : 'has no second value';
}

/** The example with each value of a field, at last with other values of the fields beside it: some only fit together. */
function* bodiesFor(
  example: JsonValue,
  field: Field,
  others: readonly Field[],
  pool: Pool,
): Generator<{ value: JsonValue; body: JsonValue }> {
  const values = valuesFor(field, example, pool);
  for (const value of values) yield { value, body: putDeep(example, field.place, value) };
  for (const other of others)
    for (const beside of valuesFor(other, example, pool).slice(0, fewValues))
      for (const value of values.slice(0, fewValues))
        yield { value, body: putDeep(putDeep(example, other.place, beside), field.place, value) };
}

function isBeside(one: Field, other: Field): boolean {
  return one.place.slice(0, -1).join() === other.place.slice(0, -1).join();
}

/** The fields of a body, also those that an example omits. */
function fieldsOf(
  document: SpecDocument,
  node: Schema,
  value: JsonValue | undefined,
  place: readonly string[] = [],
  name = '',
): Field[] {
  const inner = (schema: Schema, key: string, shown: string): Field[] =>
    fieldsOf(document, schema, valueAt(value, [key]), [...place, key], shown);
  const branches = branchesOf(document, node);
  const fields = branches.flatMap(({ properties, items, type, additionalProperties: open }) => {
    if (items) return inner(items, '0', `${name}[]`);
    if (properties)
      return Object.entries(properties).flatMap(([key, one]) => inner(one, key, name ? `${name}.${key}` : key));
    // An open object: one of its keys, or any.
    const [key = 'key'] = isObject(value) ? Object.keys(value) : [];
    return type === 'object' ? inner(typeof open === 'object' ? open : {}, key, `${name}.*`) : [];
  });
  const schema = branches.find(({ type, enum: values }) => type ?? values) ?? node;
  return fields.length > 0 ? fields : [{ place, name, schema }];
}

function branchesOf(document: SpecDocument, node: Schema): Schema[] {
  const schema = resolve(document, node);
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...inner.flatMap((one) => branchesOf(document, one))];
}

/** Different values to try, the one of the example first. */
function valuesFor({ place, schema }: Field, example: JsonValue, pool: Pool): JsonValue[] {
  const given = [
    valueAt(example, place),
    ...(schema.enum ?? []),
    ...(schema.examples ?? []),
    ...(pool.get(lastName({ place })) ?? []),
  ];
  const values = [...given, ...given.flatMap(variantsOf), ...otherValues(schema)].filter(
    (value) => value !== undefined && value !== null && isPrimitive(value),
  );
  return [...new Set(values)].slice(0, mostValues);
}

function variantsOf(value: JsonValue | undefined): JsonValue[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1, value - 1, value + 2];
  if (typeof value !== 'string' || value === '') return [];
  const changed = (pattern: RegExp, by: (found: string) => string): string => value.replace(pattern, by);
  return [
    ...(value.includes('@') ? [otherAddress] : []),
    `${value} 2`,
    changed(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)),
    changed(/\d(?=\D*$)/, (digit) => String((Number(digit) + 9) % 10)),
    changed(/[a-z](?=[^a-z]*$)/, (letter) => (letter === 'x' ? 'y' : 'x')),
    changed(/[A-Z](?=[^A-Z]*$)/, (letter) => (letter === 'X' ? 'Y' : 'X')),
  ];
}

function otherValues({ type }: Schema): JsonValue[] {
  const types = [type].flat();
  if (types.includes('boolean')) return [true, false];
  if (types.includes('integer') || types.includes('number')) return [1, 2, 3];
  return ['One', 'Two', 'https://shop.example.com/one.png', 'https://shop.example.com/two.png'];
}

/** A copy with a value at a place, and only the first entry of the lists above it: another one may hide the value. */
function putDeep(body: JsonValue, [key, ...rest]: readonly string[], value: JsonValue): JsonValue {
  if (key === undefined) return value;
  const inner = putDeep(valueAt(body, [key]) ?? null, rest, value);
  return key === '0' ? [inner] : { ...(isObject(body) && body), [key]: inner };
}

/** Writes a body into a new sandbox. Returns what can be read later, or `undefined` if the body is refused. */
async function readAfter(
  operation: SpecOperation,
  body: JsonValue,
  readers: readonly SpecOperation[],
): Promise<Map<string, JsonValue> | undefined> {
  const { sandbox } = start({ startAt });
  await prepare(sandbox);
  const written = await send(sandbox, requestOf(operation), { body });
  const text = await written.text();
  if (!written.ok) return undefined;
  sandbox.clock.advance(later);
  const ids = text === '' ? [] : idsIn(JSON.parse(text));
  const read = new Map<string, JsonValue>();
  for (const request of new Set(readers.flatMap((one) => [requestOf(one), ...ids.map((id) => requestOf(one, id))]))) {
    const response = await send(sandbox, request);
    if (response.ok) read.set(request, await response.json());
  }
  return read;
}

/** Adds records that second values of fields refer to, and removes values, so that adding them makes a difference. */
async function prepare(sandbox: Sandbox): Promise<void> {
  await send(sandbox, 'DELETE /crm/v1/deals/501/attributes/211');
  await send(sandbox, 'DELETE /crm/v1/contacts/3001/attributes/311');
  await send(sandbox, 'POST /senders', { body: { email: otherAddress, name: 'Other' } });
  await send(sandbox, 'POST /smtp/unsubscribe', { body: { emails: [{ email: otherAddress }] } });
}

/** The request with the examples of the path, or with another ID in its last place. */
function requestOf({ base, path, method, parameters }: SpecOperation, id?: string): string {
  const last = path.lastIndexOf('{');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string, place: number) => {
    const example = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.example;
    return encodeURIComponent(String(place === last && id !== undefined ? id : example));
  });
  return `${method} ${base}${filled}`;
}

/** The IDs of new records in a reply. */
function idsIn(reply: JsonValue): string[] {
  const records = [reply, valueAt(reply, ['data'])];
  return records
    .flatMap((record) => ['id', 'task_id'].map((name) => valueAt(record, [name])))
    .flatMap((id) => (typeof id === 'number' || typeof id === 'string' ? String(id) : []));
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

type Objects = ReadonlyMap<string, { place: string; object: Record<string, JsonValue>; count: number }>;

/** The objects in replies, by place and content: a list may have another order after another request. */
function objectsIn(read: ReadonlyMap<string, JsonValue>): Objects {
  const found = new Map<string, { place: string; object: Record<string, JsonValue>; count: number }>();
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

function isPrimitive(value: JsonValue): value is Primitive {
  return typeof value !== 'object' || value === null;
}

/**
 * Whether a place has one value after one request, and the other value after the other one. It has the name of the field
 * or of the object that the field is in. Any other place counts only if none has the name of the field.
 */
function isReadBack(
  [name = '', ...above]: readonly string[],
  found: readonly Difference[],
  { value: first }: Written,
  { value: second }: Written,
): boolean {
  // Requests and replies differ in types: a phone number is a text in one, and a number in the other.
  const has = (side: Difference['side'], place: string, value: JsonValue): boolean =>
    found.some((one) => one.side === side && one.place === place && String(one.value) === String(value));
  const places = [...new Set(found.map(({ place }) => place))];
  const named = places.filter((place) => place.endsWith(`.${name}`));
  const parents = places.filter((place) => above.some((one) => place.endsWith(`.${one}`)));
  const possible = named.length > 0 ? [...named, ...parents] : places;
  return possible.some((place) => has('one', place, first) && has('other', place, second));
}

/** Whether a reply of an operation that reads the same records has a field of this name, or the object that it is in. */
export function isInReply(operation: SpecOperation, field: string, operations: readonly SpecOperation[]): boolean {
  const group = groupOf(operation);
  const readers = operations.filter((one) => one.operation['x-effect'] === 'read');
  const related = readers.filter((one) => group.startsWith(groupOf(one)) || groupOf(one).startsWith(group));
  const names = new Set(related.flatMap(({ spec, success: { schema } }) => propertiesOf(spec.document, schema ?? {})));
  const { unwrapBody } = sdkOf(operation);
  return namesOf(field).every((name) => name === unwrapBody || names.has(name));
}

/** `push.campaigns.` for the method `push.campaigns.list`. */
function groupOf(operation: SpecOperation): string {
  return sdkOf(operation).method.replace(/\w+$/, '');
}

/** Names of all properties of a schema, at any depth. */
function propertiesOf(document: SpecDocument, node: Schema, way: readonly Schema[] = []): string[] {
  if (way.includes(resolve(document, node))) return [];
  return branchesOf(document, node).flatMap((schema) => {
    const inner = (one: Schema): string[] => propertiesOf(document, one, [...way, schema]);
    const { properties = {}, items, additionalProperties: open } = schema;
    return [
      ...Object.entries(properties).flatMap(([name, one]) => [name, ...inner(one)]),
      ...(items ? inner(items) : []),
      ...(typeof open === 'object' ? inner(open) : []),
    ];
  });
}

/** The name of a field, and that of the object that it is in: `['id', 'template']` for `email.template.id`. */
function namesOf(field: string): string[] {
  const names = field.split('.').map((name) => name.replace(/(?:\[\])+$/, ''));
  return names
    .filter((name) => name !== '*')
    .slice(-2)
    .reverse();
}

/** The values of each field in all examples of a spec. */
function valuesOfExamples(operations: readonly SpecOperation[]): Pool {
  const found = new Map<string, Set<Primitive>>();
  const visit = (value: JsonValue, name: string): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, name);
    else if (isObject(value)) for (const [key, one] of Object.entries(value)) visit(one, key);
    else found.set(name, (found.get(name) ?? new Set()).add(value));
  };
  for (const { body, success } of operations)
    for (const { value } of [...Object.values(body?.examples ?? {}), ...Object.values(success.examples)])
      visit(value, '');
  return found;
}

function lastName({ place }: Pick<Field, 'place'>): string {
  return place.findLast((name) => name !== '0') ?? '';
}
