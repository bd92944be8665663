import { deriveEnvelope } from '../spec/envelope.ts';
import { listOperations, type Operation, type Spec } from '../spec/model.ts';
import { header } from './header.ts';

/**
 * `operations.ts`: what the client needs to know at run time about each operation, as small as it can be:
 * a key that says nothing is left out.
 */
export function generateOperations(spec: Spec): string {
  const operations = listOperations(spec);
  const base = commonBase(operations);
  const rows = operations.map((operation) => `    ${literal(operation.key)}: ${operationRow(operation, base)},\n`);
  return `${header(`spec/${spec.name}.yaml`)}
import type { OperationTable } from '../../src/core/operation.ts';

export const ${spec.name}Operations = {
  base: ${literal(base)},
  operations: {
${rows.join('')}  },
} as const satisfies OperationTable;
`;
}

export function operationRow(operation: Operation, base: string): string {
  const envelope = deriveEnvelope(operation);
  const { 'x-safe': safe, deprecated, security } = operation.operation;
  const text = operation.parameters.filter(({ in: place, schema }) => place === 'path' && schema.type !== 'integer');
  const parts = [
    `id: ${literal(operation.operationId)}`,
    operation.base !== base && `base: ${literal(operation.base)}`,
    envelope.keys.length > 0 && `payload: ${literal(envelope.keys.join('.') + (envelope.inferredList ? '[]' : ''))}`,
    envelope.empty && 'empty: true',
    safe && 'safe: true',
    deprecated && 'deprecated: true',
    security?.length === 0 && 'anonymous: true',
    text.length > 0 && `text: [${text.map(({ name }) => literal(name)).join(', ')}]`,
  ];
  return `{ ${parts.filter(Boolean).join(', ')} }`;
}

/** The base that most operations share; the others carry their own. */
function commonBase(operations: Operation[]): string {
  const counts = new Map<string, number>();
  for (const { base } of operations) counts.set(base, (counts.get(base) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '';
}

export function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
