import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec, resolve, type SpecOperation } from '../../../scripts/spec/model.ts';
import type { Schema } from '../../../scripts/spec/schema.ts';
import { maxMarks } from '../../../src/sandbox/json.ts';
import { maxSharedBody } from '../../../src/sandbox/shared-use.ts';
import { firstBody, urlOf } from '../../support/spec-requests.ts';

/** A request with which one user can try to keep a shared sandbox busy. */
export interface SpecAttack {
  operation: string;
  /** Its large part. */
  shape: string;
  method: string;
  path: string;
  body?: () => string;
}

/** Slightly less than the largest body that a shared server accepts. */
const large = maxSharedBody - 50_000;
const marks = maxMarks - 500;

/** For each operation, the largest body of each shape that is accepted, and one that is refused. */
export function listSpecAttacks(): SpecAttack[] {
  return specNames.flatMap((name) => listOperations(loadSpec(name))).flatMap(attacksOf);
}

function attacksOf(operation: SpecOperation): SpecAttack[] {
  const { operationId, method } = operation;
  const path = urlOf(operation);
  const attack = (shape: string, body?: () => string): SpecAttack => ({
    ...{ operation: operationId, shape, method, path },
    ...(body && { body }),
  });
  const { json } = firstBody(operation);
  const query = `${path}${path.includes('?') ? '&' : '?'}${'a=1&'.repeat(3_500)}`;
  const plain = [attack('an example', json === undefined ? undefined : () => JSON.stringify(json))];
  if (method === 'GET') return [...plain, { ...attack('a long query'), path: query }];
  if (json === undefined) return plain;
  const withOwn = (own: string): string => `${JSON.stringify(inner(json)).slice(0, -1)},"own":${own}}`;
  const wrap = (text: string): string => (inner(json) === json ? text : `{"${Object.keys(json as Json)[0]}":${text}}`);
  return [
    ...plain,
    ...(hasList(json) ? [attack('long lists', () => JSON.stringify(lengthened(json, listsIn(json))))] : []),
    ...(hasList(json) ? [attack('long lists of wrong items', () => JSON.stringify(wrong(json)))] : []),
    ...(textIn(operation) === undefined
      ? []
      : [attack('a long text', () => JSON.stringify(withText(json, textIn(operation) ?? '')))]),
    attack('own fields', () => wrap(`${JSON.stringify(inner(json)).slice(0, -1)},${ownFields(9_900)}}`)),
    attack('too many own fields', () => wrap(`${JSON.stringify(inner(json)).slice(0, -1)},${ownFields(maxMarks)}}`)),
    attack('nested lists', () =>
      wrap(
        withOwn(
          `[${Array(Math.floor(marks / 2))
            .fill('[]')
            .join(',')}]`,
        ),
      ),
    ),
    attack('too many nested lists', () => wrap(withOwn(`[${'[],'.repeat(large / 3)}1]`))),
    attack('a long own text', () => wrap(withOwn(`"${'\\"'.repeat(large / 2 - 1_000)}"`))),
  ];
}

type Json = Record<string, unknown>;

/** The fields of a body that is wrapped in one key. */
function inner(body: unknown): unknown {
  const values = Object.values(body as Json);
  const [only] = values;
  return values.length === 1 && typeof only === 'object' && only !== null && !Array.isArray(only) ? only : body;
}

function ownFields(count: number): string {
  return Array.from({ length: count }, (_, index) => `"own${index}":1`).join(',');
}

function hasList(value: unknown): boolean {
  return listsIn(value) > 0;
}

function listsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const below = Object.values(value).reduce((sum: number, item) => sum + listsIn(item), 0);
  return below + (Array.isArray(value) && value.length > 0 ? 1 : 0);
}

/** Makes each outermost list as long as a body may have, with different items. */
function lengthened(value: unknown, lists: number): unknown {
  if (Array.isArray(value)) {
    const [item] = value;
    if (item === undefined) return value;
    const needed = JSON.stringify(item).replace(/[^,:[{]/g, '').length + 1;
    return Array.from({ length: Math.floor(marks / lists / needed) }, (_, index) => varied(item, index));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, lengthened(item, lists)]));
}

function varied(item: unknown, index: number): unknown {
  if (typeof item === 'string') {
    if (/^\+?\d+$/.test(item)) return String(Number(item) + index);
    return item.includes('@') ? `a${index}${item}` : `${item} ${index}`;
  }
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, varied(value, index)]));
}

function wrong(value: unknown): unknown {
  if (Array.isArray(value)) return Array(Math.floor(marks / 2)).fill([]);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, wrong(item)]));
}

/** A field of the body whose texts have no limit. */
function textIn({ spec, body }: SpecOperation): string | undefined {
  const schema = body && resolve(spec.document, body.schema);
  const wrapped = Object.values(schema?.properties ?? {});
  const [only] = wrapped;
  const fields = wrapped.length === 1 && only ? resolve(spec.document, only).properties : schema?.properties;
  const isFree = (field: Schema): boolean => {
    const { type, maxLength, enum: values, format, pattern } = resolve(spec.document, field);
    return type === 'string' && maxLength === undefined && !values && format === undefined && pattern === undefined;
  };
  return Object.entries(fields ?? {}).find(([, field]) => isFree(field))?.[0];
}

function withText(body: unknown, name: string): unknown {
  const text = 'QUJD'.repeat(large / 4 - 1_000);
  const [key] = Object.keys(body as Json);
  const fields = { ...(inner(body) as Json), [name]: text };
  return inner(body) === body || key === undefined ? fields : { [key]: fields };
}
