import { listOperations, type Operation, type Spec } from '../spec/model.ts';
import { header } from './header.ts';
import { pascalCase, propertyKey } from './names.ts';
import { literal } from './operations.ts';
import { tsdoc } from './tsdoc.ts';
import { type TypeContext, typeOf } from './typescript.ts';

/**
 * `handlers.ts`: what the sandbox must answer. A type for each operation's handler (a missing one or a wrong reply does not
 * compile), its route with the validators of its request, and the rules by id.
 */
export function generateHandlers(spec: Spec): string {
  const operations = listOperations(spec);
  const name = pascalCase(spec.name);
  return `${header(`spec/${spec.name}.yaml`)}
import type { Handler, Route } from '../../src/sandbox/handler.ts';
import type * as Models from './models.ts';
import * as validators from './validators.ts';

/** A handler for each operation, by operationId. */
export interface ${name}Handlers {
${operations.map(handlerType).join('')}}

/** Where each operation is reached, and what its request must fit. */
export const ${spec.name}Routes: readonly Route<keyof ${name}Handlers>[] = [
${operations.map(route).join('')}];

/** The rules of behaviour that the spec states, by id. */
export const ${spec.name}Rules = {
${rules(spec, operations)}} as const;

/** The rule that each documented error code reports, by operationId. */
export const ${spec.name}ErrorRules = {
${errorRules(operations)}} as const;

/** Documented quotas over a rolling window, by operationId. */
export const ${spec.name}Quotas = {
${quotas(operations)}} as const;

/** Most entries of a page, where documented, by operationId. */
export const ${spec.name}PageSizes = {
${pageSizes(operations)}} as const;
`;
}

function handlerType(operation: Operation): string {
  const context: TypeContext = { spec: operation.spec, prefix: 'Models.' };
  const place = (where: 'path' | 'query'): string => {
    const parameters = operation.parameters.filter((parameter) => parameter.in === where);
    const fields = parameters.map(
      ({ name, schema, required }) => `${propertyKey(name)}${required ? '' : '?'}: ${typeOf(schema, context)}`,
    );
    return fields.length > 0 ? `{ ${fields.join('; ')} }` : 'Record<never, never>';
  };
  const body = operation.body ? typeOf(operation.body.schema, context, '  ') : 'undefined';
  const sent = operation.body && !operation.body.required ? `${body} | undefined` : body;
  const reply = operation.success.schema ? typeOf(operation.success.schema, context, '  ') : 'void';
  return `${tsdoc([`${operation.operation.summary}: \`${operation.key}\`.`], '  ')}  ${operation.operationId}: Handler<${place('path')}, ${place('query')}, ${sent}, ${reply}>;\n`;
}

function route(operation: Operation): string {
  const prefix = `validators.z${pascalCase(operation.operationId)}`;
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  const numbers = operation.parameters.filter(({ schema }) => schema.type === 'integer' || schema.type === 'number');
  const parts = [
    `id: ${literal(operation.operationId)}`,
    `method: ${literal(operation.method)}`,
    `path: ${literal(operation.base + operation.path)}`,
    `status: ${operation.success.status}`,
    operation.operation.security?.length === 0 && 'anonymous: true',
    numbers.length > 0 && `numbers: [${numbers.map(({ name }) => literal(name)).join(', ')}]`,
    query.length > 0 && `query: ${prefix}Query`,
    operation.body && `body: ${prefix}Body`,
    operation.body?.required && 'bodyRequired: true',
  ];
  return `  { ${parts.filter(Boolean).join(', ')} },\n`;
}

function rules(spec: Spec, operations: Operation[]): string {
  const all = [
    ...(spec.document.info['x-rules'] ?? []).map((rule) => ({ ...rule, operation: undefined })),
    ...operations.flatMap((operation) =>
      (operation.operation['x-rules'] ?? []).map((rule) => ({ ...rule, operation: operation.operationId })),
    ),
  ];
  return all
    .map(({ id, source, text, values, operation }) => {
      const of = operation ? `, operation: ${literal(operation)}` : '';
      const told = values ? `, values: ${JSON.stringify(values)}` : '';
      return `  ${propertyKey(id)}: { source: ${literal(source)}, text: ${JSON.stringify(text.trim())}${of}${told} },\n`;
    })
    .join('');
}

function errorRules(operations: Operation[]): string {
  return operations
    .flatMap(({ operationId, operation: { 'x-errors': codes } }) => {
      if (!codes) return [];
      const rows = Object.entries(codes).map(([code, { rule }]) => `    ${literal(code)}: ${literal(rule)},\n`);
      return `  ${propertyKey(operationId)}: {\n${rows.join('')}  },\n`;
    })
    .join('');
}

function quotas(operations: Operation[]): string {
  return operations
    .flatMap(({ operationId, operation: { 'x-rate-limit': quota } }) =>
      quota
        ? `  ${propertyKey(operationId)}: { requests: ${quota.requests}, seconds: ${quota.seconds}, per: ${literal(quota.per)} },\n`
        : [],
    )
    .join('');
}

function pageSizes(operations: Operation[]): string {
  return operations
    .flatMap(({ operationId, operation: { 'x-pagination': paging } }) =>
      paging?.maximum === undefined ? [] : `  ${propertyKey(operationId)}: ${paging.maximum},\n`,
    )
    .join('');
}
