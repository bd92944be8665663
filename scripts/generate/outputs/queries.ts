import { buildTree, placeOf, writeTree } from '../model/method-tree.ts';
import type { OperationModel, SpecModel } from '../model/operation-model.ts';
import { header } from '../typescript/header.ts';
import { source } from '../typescript/literal.ts';
import { propertyKey } from '../typescript/names.ts';
import { tsdoc } from '../typescript/tsdoc.ts';
import { isQuery, queryEffects } from './query-effects.ts';

const keyOfGroup = '/** Prefix of the keys of all queries in this group. */\nreadonly key: KeyPrefix;\n';

/**
 * `queries.ts`: the types of the factories of TanStack Query's options, and the queries that each mutation makes stale.
 */
export function generateQueries({ spec, typeName, operations }: SpecModel): string {
  const bare = operations.filter((each) => isQuery(each) && isBare(each)).map(({ place }) => place);
  const factories = ['ListQuery', 'Mutation', 'Query'].filter((name) => operations.some((o) => kindOf(o) === name));
  return `${header(`spec/${spec.name}.yaml`)}
import type { KeyPrefix, ${factories.join(', ')}, QueryTable } from '../../src/shared/query-types.ts';
import type * as Methods from './methods.ts';

/** The operations of the spec as queries and mutations. */
export interface ${typeName}Queries ${writeTree(buildTree(operations), factory, keyOfGroup)}

export const ${spec.name}Queries: QueryTable = ${source({ bare, ...queryEffects(operations) })};
`;
}

type Kind = 'ListQuery' | 'Mutation' | 'Query';

function kindOf(operation: OperationModel): Kind {
  if (!isQuery(operation)) return 'Mutation';
  return operation.paging ? 'ListQuery' : 'Query';
}

function isBare({ fields, hasOpenBody }: OperationModel): boolean {
  return fields.length === 0 && !hasOpenBody;
}

function factory(operation: OperationModel): string {
  const { typeName, fields, operation: source, envelope, paging } = operation;
  const kind = kindOf(operation);
  if (paging && paging.offset !== 'offset')
    throw new Error(`${operation.operationId}: src/client/query pages by 'offset'`);
  const params = `Methods.${typeName}Params`;
  const isOptional = fields.every(({ required }) => !required);
  const variables = isBare(operation) ? 'void' : isOptional ? `${params} | void` : params;
  const args = isBare(operation) ? '[]' : `[params${isOptional ? '?' : ''}: ${params}]`;
  const result = `Methods.${typeName}Result`;
  const meta = paging && envelope.beside.length > 0 ? `, Methods.${typeName}Meta` : '';
  const docs = tsdoc([`${source.summary}.`, source.deprecated && { tag: 'deprecated' }]);
  const name = propertyKey(placeOf(operation).at(-1) ?? '');
  return `${docs}${name}: ${kind}<${kind === 'Mutation' ? variables : args}, ${result}${meta}>;\n`;
}
