import type { Rule } from '../spec/schema.ts';
import { facts } from './facts.ts';
import { header } from './header.ts';
import { source } from './literal.ts';
import { pascalCase, propertyKey } from './names.ts';
import type { OperationModel, SpecModel } from './operation-model.ts';

/**
 * `details.ts`: data about each operation that the client does not need at run time (validators, statuses, quotas), rules
 * by id, and single facts of the spec. Used by the sandbox and `carillon/validate`.
 */
export function generateDetails(model: SpecModel): string {
  const { spec, operations } = model;
  return `${header(`spec/${spec.name}.yaml`)}
import type { OperationDetails } from '../../src/core/operation-details.ts';
import * as validators from './validators.ts';

/** Requirements and replies of each operation, by operationId. */
export const ${spec.name}Details = {
${operations.map((operation) => `${operation.operationId}: ${details(operation)},\n`).join('')}
} as const satisfies Record<string, OperationDetails>;

/** The rules of behaviour in the spec, by id. */
export const ${spec.name}Rules = {
${rules(model)}} as const;

/** Single facts of the spec that code needs, by name. */
export const ${spec.name}Facts = ${source(facts(spec))} as const;
`;
}

function details(operation: OperationModel): string {
  const { parameters, body, success, quota } = operation;
  const validator = `validators.z${pascalCase(operation.operationId)}`;
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const errors = Object.entries(operation.operation['x-errors'] ?? {}).map(([code, { rule }]) => [code, rule]);
  const types = query.map(({ name, schema }) => [name, String([schema.type ?? 'string'].flat()[0])]);
  const parts = [
    `status: ${success.status}`,
    query.length > 0 && `queryTypes: ${source(Object.fromEntries(types))}, query: ${validator}Query`,
    body && `body: ${validator}Body`,
    body?.required && 'bodyRequired: true',
    success.schema && `reply: ${validator}Response`,
    errors.length > 0 && `errors: ${source(Object.fromEntries(errors))}`,
    quota && `quota: ${source({ requests: quota.requests, seconds: quota.seconds, per: quota.per })}`,
  ];
  return `{ ${parts.filter(Boolean).join(', ')} }`;
}

function rules({ spec, operations }: SpecModel): string {
  const rule = ({ id, source: section, text, values }: Rule, operation?: string): string =>
    `${propertyKey(id)}: ${source({ source: section, text: text.trim(), ...(operation && { operation }), ...(values && { values }) })},\n`;
  return [
    ...(spec.document.info['x-rules'] ?? []).map((each) => rule(each)),
    ...operations.flatMap(({ operationId, operation }) =>
      (operation['x-rules'] ?? []).map((each) => rule(each, operationId)),
    ),
  ].join('');
}
