import { effectOf } from '../../../scripts/spec/effect.ts';
import { resolve, type SpecOperation } from '../../../scripts/spec/model.ts';
import { sdkOf } from '../../../scripts/spec/parameters.ts';
import type { JsonValue, OpenApi, Schema } from '../../../scripts/spec/schema.ts';
import { bodiesFor, branchesOf, type Candidate, fieldsOf, valuesOfExamples } from './bodies.ts';
import { isReadBack, objectsIn, type Written } from './compare.ts';
import { type Readings, Writer } from './read-after.ts';

/** Number of bodies with the same value to compare. */
const maxAlike = 3;
/** Number of accepted bodies to compare, for a field that should be read back and for another one. */
const maxCompared = { expected: 12, unexpected: 2 };

/** Kinds of records that also show a request's fields: it creates one of them. */
const alsoShownIn: Record<string, string> = {
  createLegacyContact: 'contactAttributes',
  requestEmailResubscription: 'messages',
};

/**
 * Writes several values of each field of a body, each into the same data, and compares later reads. A field is read back if responses
 * contain one value after one request, and another value after another request.
 *
 * @param operations - of the spec
 * @param unexpected - names of fields that should not be read back, and need no long search
 * @returns field names, with `true` if the field is read back
 */
export async function examineFields(
  operation: SpecOperation,
  operations: readonly SpecOperation[],
  unexpected: readonly string[],
): Promise<Map<string, boolean>> {
  const found = new Map<string, boolean>();
  const pool = valuesOfExamples(operations);
  const readers = readersOf(operation, operations);
  const writer = new Writer();
  for (const { value: example } of Object.values(operation.body?.examples ?? {})) {
    const fields = fieldsOf(operation, example);
    for (const field of fields) {
      const { name } = field;
      // Fields exclude each other, so one example is enough.
      if (found.get(name)) continue;
      const isExpected = !unexpected.includes(name);
      const bodies = bodiesFor(example, field, isExpected ? fields : [], pool);
      const most = maxCompared[isExpected ? 'expected' : 'unexpected'];
      const readAfter = (body: JsonValue) => writer.readAfter(operation, body, readers);
      found.set(name, await isFieldReadBack(readAfter, bodies, namesOf(name), most));
    }
  }
  return found;
}

async function isFieldReadBack(
  readAfter: (body: JsonValue) => Promise<Readings | undefined>,
  bodies: Iterable<Candidate>,
  names: readonly string[],
  most: number,
): Promise<boolean> {
  const written: Written[] = [];
  for (const { value, body } of bodies) {
    if (written.filter((before) => before.value === value).length === maxAlike) continue;
    const read = await readAfter(body);
    if (!read) continue;
    const one: Written = { value, objects: objectsIn(read) };
    if (written.some((before) => before.value !== value && isReadBack(names, before, one))) return true;
    written.push(one);
    if (written.length === most) break;
  }
  return false;
}

/** Whether a reading operation of the same records returns a field of this name, or its parent. */
export function isInResponse(operation: SpecOperation, field: string, operations: readonly SpecOperation[]): boolean {
  const group = groupOf(operation);
  const related = readersOf(operation, operations).filter(
    (one) => group.startsWith(groupOf(one)) || groupOf(one).startsWith(group),
  );
  const names = new Set(related.flatMap(({ spec, success: { schema } }) => propertiesOf(spec.openapi, schema ?? {})));
  const { unwrapBody } = sdkOf(operation);
  return namesOf(field).every((name) => name === unwrapBody || names.has(name));
}

/** The operations that read records of the same kind, their parts and parents. */
function readersOf(operation: SpecOperation, operations: readonly SpecOperation[]): SpecOperation[] {
  const kinds = [firstName(operation), alsoShownIn[operation.operationId]];
  return operations.filter((one) => effectOf(one.operation).kind === 'read' && kinds.includes(firstName(one)));
}

/** `push.campaigns.` for the method `push.campaigns.list`. */
function groupOf(operation: SpecOperation): string {
  return sdkOf(operation).method.replace(/\w+$/, '');
}

/** `push` for the method `push.campaigns.list`. */
function firstName(operation: SpecOperation): string {
  return sdkOf(operation).method.replace(/\..*/, '');
}

/** Names of all properties of a schema, at any depth. */
function propertiesOf(openapi: OpenApi, node: Schema, way: readonly Schema[] = []): string[] {
  if (way.includes(resolve(openapi, node))) return [];
  return branchesOf(openapi, node).flatMap((schema) => {
    const inner = (one: Schema): string[] => propertiesOf(openapi, one, [...way, schema]);
    const { properties = {}, items, additionalProperties: open } = schema;
    return [
      ...Object.entries(properties).flatMap(([name, one]) => [name, ...inner(one)]),
      ...(items ? inner(items) : []),
      ...(typeof open === 'object' ? inner(open) : []),
    ];
  });
}

/** Name of a field and its parent: `['id', 'template']` for `email.template.id`. */
function namesOf(field: string): string[] {
  const names = field.split('.').map((name) => name.replace(/(?:\[\])+$/, ''));
  return names
    .filter((name) => name !== '*')
    .slice(-2)
    .reverse();
}
