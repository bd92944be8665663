import { callOptionNames } from '../../../src/client/core/prepare.ts';
import { effectOf } from '../../spec/effect.ts';
import { lookUp, resolve } from '../../spec/model.ts';
import { acceptsOwnFields } from '../../spec/parameters.ts';
import type { Pagination, Schema } from '../../spec/schema.ts';
import type { OperationModel, SpecModel } from '../model/operation-model.ts';
import { header } from '../typescript/header.ts';
import { source } from '../typescript/literal.ts';

/** `operations.ts`: the data about each operation that the client needs at run time. Omits keys with default values. */
export function generateOperations(model: SpecModel): string {
  const { spec, typeName, base, operations } = model;
  const byPath = new Map<string, OperationModel[]>();
  for (const operation of operations) byPath.set(operation.path, [...(byPath.get(operation.path) ?? []), operation]);
  const records = [...byPath].map(([path, methods]) => {
    const entries = methods.map((operation) => `${operation.method}: ${operationRecord(operation, base)},\n`);
    return `${source(path)}: {\n${entries.join('')}},\n`;
  });
  return `${header(`spec/${spec.name}.yaml`)}
/** Path template and method → run-time data of the client for the operation. */
export const ${spec.name}Operations = {
  base: ${source(base)},
  operations: {
${records.join('')}  },
} as const;
${tokenOperation(model)}
/** \`operationId\` of each operation of the spec. */
export type ${typeName}OperationId = ${operations.map(({ operationId }) => source(operationId)).join(' | ')};
`;
}

/**
 * The token operation separately, so that one spec's client does not bundle another spec's table. Empty for a spec in
 * which every operation needs a credential.
 */
function tokenOperation({ spec, operations }: SpecModel): string {
  const operation = operations.find(({ isAnonymous }) => isAnonymous);
  if (!operation) return '';
  const body = operation.body && resolve(spec.openapi, operation.body.schema);
  if (!body) throw new Error(`${spec.file}: the token operation takes no client credentials`);
  const grant = resolve(spec.openapi, lookUp<Schema>(body, '#/properties/grant_type'));
  return `
/** The operation that returns an access token. It needs no credential. */
export const tokenOperation = {
  base: ${source(operation.base)},
  method: ${source(operation.method)},
  path: ${source(operation.path)},
  record: ${operationRecord(operation, operation.base)},
} as const;

/** \`grant_type\` of a token request. */
export const tokenGrantType = ${source(grant.const ?? grant.enum?.[0])};
`;
}

/** The record of an operation as source text. */
function operationRecord(operation: OperationModel, base: string): string {
  const { envelope, fields, paging, wrap } = operation;
  const { kind: effect } = effectOf(operation.operation);
  const { deprecated } = operation.operation;
  const text = fields.filter(
    ({ in: place, schema }) => place === 'path' && resolve(operation.spec.openapi, schema).type !== 'integer',
  );
  const params = fields.flatMap(({ name, in: place }) => (place === 'body' ? [] : [[name, place]]));
  const encoded = fields.flatMap(({ name, encoding }) => (encoding ? [[name, encoding]] : []));
  const hasOptionName = fields.some(({ name }) => callOptionNames.includes(name));
  const isBare = fields.length === 0 && !operation.hasOpenBody;
  return source({
    id: operation.operationId,
    method: operation.place,
    ...(params.length > 0 && { params: Object.fromEntries(params) }),
    ...(operation.base !== base && { base: operation.base }),
    ...(envelope.keys.length > 0 && { payload: envelope.keys.join('.') + (envelope.inferredList ? '[]' : '') }),
    ...(!envelope.payload && { empty: true }),
    ...(!paging && isList(operation) && { list: true }),
    ...(effect !== 'read' && saysResult(operation) && { result: true }),
    ...(envelope.nullable && { nullable: true }),
    ...(effect === 'read' && { reads: true }),
    ...(deprecated && { deprecated }),
    ...(operation.isAnonymous && { anonymous: true }),
    ...(text.length > 0 && { text: text.map(({ name }) => name) }),
    ...(paging && { paging: pagingRecord(paging) }),
    ...(encoded.length > 0 && { encode: Object.fromEntries(encoded) }),
    ...(wrap && { wrap }),
    ...(isBare && { bare: true }),
    ...((acceptsOwnFields(operation) || hasOptionName) && { open: true }),
  });
}

function isList({ envelope: { payload }, spec: { openapi } }: OperationModel): boolean {
  return payload !== undefined && resolve(openapi, payload).type === 'array';
}

/** Whether the payload of a response has `result: true`, always. */
function saysResult({ envelope: { payload }, spec: { openapi } }: OperationModel): boolean {
  const { result } = (payload && resolve(openapi, payload).properties) ?? {};
  return result !== undefined && resolve(openapi, result).const === true;
}

function pagingRecord({ limit, offset, maximum, 'x-inferred': inferred }: Pagination): object {
  return { limit, offset, ...(maximum && { maximum }), ...(inferred && { inferred: true }) };
}
