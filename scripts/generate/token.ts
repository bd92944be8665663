import { listOperations, lookUp, resolve, type Spec } from '../spec/model.ts';
import type { Schema } from '../spec/schema.ts';
import { header } from './header.ts';
import { literal, operationRow } from './operations.ts';

/** The one spec that describes how a token is had. */
export function hasTokenOperation(spec: Spec): boolean {
  return listOperations(spec).some((operation) => operation.operation.security?.length === 0);
}

/** `token.ts`: the token operation alone, so that a client of one namespace does not carry another's table. */
export function generateToken(spec: Spec): string {
  const operation = listOperations(spec).find(({ operation }) => operation.security?.length === 0);
  const body = operation?.body && resolve(spec.document, operation.body.schema);
  if (!operation || !body) throw new Error(`${spec.file}: no operation takes client credentials`);
  const grant = resolve(spec.document, lookUp<Schema>(body, '#/properties/grant_type'));
  const grantType = grant.const ?? grant.enum?.[0];
  const reply = operation.success.schema && resolve(spec.document, operation.success.schema);
  const lifetime = reply && resolve(spec.document, lookUp<Schema>(reply, '#/properties/expires_in')).examples?.[0];
  if (typeof lifetime !== 'number') throw new Error(`${spec.file}: expires_in shows no lifetime of a token`);
  return `${header(`spec/${spec.name}.yaml`)}
import type { OperationTable } from '../../src/core/operation.ts';

export const tokenKey = ${literal(operation.key)};
export const tokenGrantType = ${literal(String(grantType))};
/** Seconds that a token lasts. */
export const tokenLifetime = ${lifetime};
export const tokenOperations = {
  base: ${literal(operation.base)},
  operations: { ${literal(operation.key)}: ${operationRow(operation, operation.base)} },
} as const satisfies OperationTable;
`;
}
