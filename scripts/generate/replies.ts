import type { DocumentedReply, ReplySchema, UndocumentedPoint } from '../../src/shared/replies.ts';
import { readMarks } from '../spec/extensions.ts';
import { markPoints } from '../spec/marks.ts';
import { resolve, type Spec, type SpecOperation } from '../spec/model.ts';
import type { Schema } from '../spec/schema.ts';
import { pointerOf } from '../spec/uses.ts';
import { walk } from '../spec/walk.ts';
import { header } from './header.ts';
import { lines, source } from './literal.ts';
import type { SpecModel } from './operation-model.ts';
import { referencesIn, usedSchemas } from './used-schemas.ts';

/** Generates `replies.ts`, the schemas of replies as data. `carillon/learn` compares observations with them. */
export function generateReplies({ spec, operations }: SpecModel): string {
  const documented = Object.fromEntries(operations.map((one) => [one.operationId, repliesOf(one)]));
  return `${header(`spec/${spec.name}.yaml`)}
/** The documented replies: their schemas, and where the spec has them. */
export const ${spec.name}Replies = {
operations: {
${lines(documented)}},
schemas: {
${lines(usedSchemas(spec, referencesIn(documented), replySchema))}},
maps: ${source(mapNames(spec))},
} as const;
`;
}

/** Generates `open-points.ts`, the undocumented points with the kind of evidence that settles each. */
export function generateOpenPoints({ spec }: SpecModel): string {
  return `${header(`spec/${spec.name}.yaml`)}
/** The undocumented points, in the order of the spec. */
export const ${spec.name}OpenPoints = [
${openPoints(spec)
  .map((point) => `${source(point)},\n`)
  .join('')}] as const;
`;
}

function openPoints({ document }: Spec): UndocumentedPoint[] {
  const found: UndocumentedPoint[] = [];
  walk(document, (node, path) => {
    const points = readMarks(node, path);
    const isList = Array.isArray(node['x-open']);
    const open = points.filter(({ mark }) => mark === 'x-open');
    // Replies also settle an assumption whose evidence the spec names.
    const assumed = points.filter(({ mark, evidence }) => mark === 'x-inferred' && evidence !== undefined);
    found.push(
      ...open.map(({ mark: _, ...point }, index) => ({ at: pointerOf(path), ...(isList && { index }), ...point })),
      ...assumed.map(({ mark: _, ...point }) => ({ at: pointerOf(path), mark: 'x-inferred' as const, ...point })),
    );
  });
  return found;
}

function repliesOf({ spec: { document }, path, method, operation }: SpecOperation): Record<string, DocumentedReply> {
  return Object.fromEntries(
    Object.entries(operation.responses).map(([status, response]) => {
      const at = response.$ref ?? pointerOf(['paths', path, method.toLowerCase(), 'responses', status]);
      const content = resolve(document, response).content?.['application/json'];
      const place = `${at}/content/application~1json/schema`;
      return [status, content ? { at: place, schema: replySchema(content.schema) } : { at }];
    }),
  );
}

/** Names of the fields of requests and replies that are maps, or lists of maps. */
function mapNames({ document }: Spec): string[] {
  const names = new Set<string>();
  walk(document, ({ properties }) => {
    for (const [name, schema] of Object.entries<Schema>(Object(properties))) if (isMap(schema)) names.add(name);
  });
  return [...names].sort();
}

function isMap({ additionalProperties, items, 'x-own-names': ownNames }: Schema): boolean {
  return typeof additionalProperties === 'object' || ownNames === true || (items !== undefined && isMap(items));
}

/** The known values, if replies show whether there are others. */
function knownValues({ 'x-open': open, examples }: Schema): ReplySchema['enum'] {
  const isCompared = markPoints(open).some(({ evidence }) => evidence === 'values');
  return isCompared ? (examples as ReplySchema['enum']) : undefined;
}

const kept = ['$ref', 'type', 'required', 'enum', 'format', 'pattern', 'contentEncoding'] as const;

function replySchema(schema: Schema): ReplySchema {
  const { properties, items, additionalProperties: values, anyOf, allOf } = schema;
  return {
    ...Object.fromEntries(
      kept.flatMap((keyword) => (schema[keyword] === undefined ? [] : [[keyword, schema[keyword]]])),
    ),
    ...(schema['x-open'] && { open: true }),
    ...(knownValues(schema) && { enum: knownValues(schema) }),
    ...(schema['x-own-names'] && { ownNames: true }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, replySchema(inner)])),
    }),
    ...(items && { items: replySchema(items) }),
    ...(values !== undefined && { additionalProperties: typeof values === 'object' ? replySchema(values) : values }),
    ...(anyOf && { anyOf: anyOf.map(replySchema) }),
    ...(allOf && { allOf: allOf.map(replySchema) }),
  };
}
