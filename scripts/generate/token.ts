import { lookUp, resolve } from '../spec/model.ts';
import type { Schema } from '../spec/schema.ts';
import { header } from './header.ts';
import { source } from './literal.ts';
import type { SpecModel } from './operation-model.ts';
import { operationRecord } from './operation-table.ts';

/**
 * `token.ts`: only the token operation, so that the client of one spec does not bundle the table of another. `undefined`
 * for a spec in which every operation needs a credential.
 */
export function generateToken({ spec, operations }: SpecModel): string | undefined {
  const operation = operations.find(({ isAnonymous }) => isAnonymous);
  if (!operation) return undefined;
  const body = operation.body && resolve(spec.document, operation.body.schema);
  if (!body) throw new Error(`${spec.file}: the token operation takes no client credentials`);
  const grant = resolve(spec.document, lookUp<Schema>(body, '#/properties/grant_type'));
  const grantType = grant.const ?? grant.enum?.[0];
  return `${header(`spec/${spec.name}.yaml`)}
import type { Operation } from '../../src/core/operation.ts';

export const tokenGrantType = ${source(grantType)};
export const tokenOperation = {
  base: ${source(operation.base)},
  method: ${source(operation.method)},
  path: ${source(operation.path)},
  record: ${operationRecord(operation, operation.base)},
} as const satisfies Operation & { base: string };
`;
}
