import type { Pagination } from '../spec/schema.ts';
import { header } from './header.ts';
import { source } from './literal.ts';
import type { OperationModel, SpecModel } from './operation-model.ts';

/**
 * `operations.ts`: the data about each operation that the client needs at run time. To keep it small, keys with default
 * values are omitted.
 */
export function generateOperations({ spec, typeName, base, operations }: SpecModel): string {
  // Names of methods and records have the same order.
  const byPath = new Map<string, OperationModel[]>();
  for (const operation of operations) byPath.set(operation.path, [...(byPath.get(operation.path) ?? []), operation]);
  const records = [...byPath].map(([path, methods]) => {
    const entries = methods.map((operation) => `${operation.method}: ${operationRecord(operation, base)},\n`);
    return `${source(path)}: {\n${entries.join('')}},\n`;
  });
  const hasEncoded = operations.some(({ fields }) => fields.some(({ encoding }) => encoding));
  return `${header(`spec/${spec.name}.yaml`)}
${hasEncoded ? `import { encodeField } from '../../src/core/encode.ts';\n` : ''}import type { MethodTable, OperationTable } from '../../src/core/operation.ts';

export const ${spec.name}Operations = {
  base: ${source(base)},
  operations: {
${records.join('')}  },
} as const satisfies OperationTable;

/** The methods of the operations, in the same order. They are apart, because calls by path do not need them. */
export const ${spec.name}Methods: MethodTable = {
  groups: ${source(methodGroups([...byPath.values()].flat()))},
${hasEncoded ? 'encodeField,\n' : ''}};

/** \`operationId\` of each operation of the spec. */
export type ${typeName}OperationId = ${operations.map(({ operationId }) => source(operationId)).join(' | ')};
`;
}

/** The groups of methods in the order of the operations, such as `deals.comments list create`. */
function methodGroups(operations: OperationModel[]): string[] {
  const groups: [place: string, ...methods: string[]][] = [];
  for (const { place } of operations) {
    const end = place.lastIndexOf('.');
    const group = place.slice(0, end);
    const last = groups.at(-1);
    if (last?.[0] === group) last.push(place.slice(end + 1));
    else groups.push([group, place.slice(end + 1)]);
  }
  return groups.map((words) => words.join(' '));
}

/** The record of an operation as source text. */
export function operationRecord(operation: OperationModel, base: string): string {
  const { envelope, fields, paging, wrap, method } = operation;
  const { 'x-safe': safe, deprecated } = operation.operation;
  const text = fields.filter(({ in: place, schema }) => place === 'path' && schema.type !== 'integer');
  const query = fields.filter(({ in: place }) => place === 'query');
  const encoded = fields.flatMap(({ name, encoding }) => (encoding ? [[name, encoding]] : []));
  const isBare = fields.length === 0 && !operation.hasOpenBody;
  return source({
    ...(operation.base !== base && { base: operation.base }),
    ...(envelope.keys.length > 0 && { payload: envelope.keys.join('.') + (envelope.inferredList ? '[]' : '') }),
    ...(!envelope.payload && { empty: true }),
    ...(envelope.nullable && { nullable: true }),
    ...(safe && { safe }),
    ...(deprecated && { deprecated }),
    ...(operation.isAnonymous && { anonymous: true }),
    ...(text.length > 0 && { text: text.map(({ name }) => name) }),
    ...(query.length > 0 && method !== 'GET' && { query: query.map(({ name }) => name) }),
    ...(paging && { paging: pagingRecord(paging) }),
    ...(encoded.length > 0 && { encode: Object.fromEntries(encoded) }),
    ...(wrap && { wrap }),
    ...(isBare && { bare: true }),
    // Last, so that the records of similar operations start alike: they compress better.
    id: operation.operationId,
  });
}

function pagingRecord({ limit, offset, maximum, 'x-inferred': inferred }: Pagination): object {
  return { limit, offset, ...(maximum && { maximum }), ...(inferred && { inferred: true }) };
}
