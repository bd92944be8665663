import { limitTexts } from '../../generate/schema-docs.ts';
import { resolve, type SpecOperation } from '../../spec/model.ts';
import { flatFields } from '../../spec/parameters.ts';
import type { Schema } from '../../spec/schema.ts';
import { anchorOf } from '../open-points.ts';
import type { Reference } from '../reference.ts';
import type { Entry } from './entry.ts';

/** A field as one operation has it. */
interface Use {
  /** `recipients.phone` for a field inside another. */
  name: string;
  schema: Schema;
  operation: SpecOperation;
  isSent: boolean;
}

/** An entry for each field of requests and replies. Operations whose field has the same description share one. */
export function fieldEntries({ page, operations }: Reference): Entry[] {
  const groups = new Map<string, [Use, ...Use[]]>();
  for (const use of operations.flatMap(usesOf)) {
    const key = JSON.stringify([use.name, use.isSent, use.schema.description]);
    const group = groups.get(key);
    if (group) group.push(use);
    else groups.set(key, [use]);
  }
  return [...groups.values()].map((uses) => fieldEntry(uses, page.file));
}

function fieldEntry(uses: [Use, ...Use[]], file: string): Entry {
  const [{ name, schema, operation, isSent }] = uses;
  const summaries = [...new Set(uses.map((use) => use.operation.operation.summary))];
  const others = summaries.length - 1;
  return {
    kind: 'field',
    title: name,
    place: `${isSent ? 'Field' : 'Field of the reply'} · ${summaries[0]}${others > 0 ? ` and ${others} more` : ''}`,
    names: [name],
    text: describe(schema, isSent),
    href: file + anchorOf(operation),
  };
}

function usesOf(operation: SpecOperation): Use[] {
  const { document } = operation.spec;
  // Whoever looks for the ID in a path looks for its operation.
  const sent = flatFields(operation).filter((field) => field.in !== 'path');
  const received = operation.success.schema;
  return [
    ...sent.flatMap(({ name, schema }) => unfold(name, schema, true, [])),
    ...(received ? inner('', resolve(document, received), false, []) : []),
  ];

  function unfold(name: string, reference: Schema, isSent: boolean, above: Schema[]): Use[] {
    const target = resolve(document, reference);
    const schema = { ...target, ...reference };
    return [{ name, schema, operation, isSent }, ...inner(name, target, isSent, above)];
  }

  /** Fields inside an object, the items of a list, or the JSON in a string. */
  function inner(name: string, schema: Schema, isSent: boolean, above: Schema[]): Use[] {
    if (above.includes(schema)) return [];
    const path = [...above, schema];
    const { properties = {}, items, contentSchema } = schema;
    return [
      ...Object.entries(properties).flatMap(([key, property]) =>
        unfold(name === '' || isEnvelope(name) ? key : `${name}.${key}`, property, isSent, path),
      ),
      ...[items, contentSchema].flatMap((part) => (part ? inner(name, resolve(document, part), isSent, path) : [])),
    ];
  }
}

/** The keys that the client removes are not part of a field's name. */
function isEnvelope(name: string): boolean {
  return name === 'data' || name === 'data.list';
}

function describe(schema: Schema, isSent: boolean): string {
  const { description = '', enum: values = [], 'x-enumDescriptions': meanings = {} } = schema;
  const limits = [...limitTexts(schema), ...limitTexts(schema.items).map((limit) => `Each: ${limit}`)];
  const isUnlimited = isSent && limits.length === 0 && values.length === 0 && schema.type === 'string';
  return [
    description.trim(),
    ...values.map((value) => `${value}: ${meanings[String(value)] ?? ''}`),
    limits.length > 0 ? `Limit: ${limits.join(' ')}` : '',
    isUnlimited ? 'A limit of its length is not documented.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}
