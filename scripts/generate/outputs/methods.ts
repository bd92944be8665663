import { buildTree, placeOf, writeTree } from '../model/method-tree.ts';
import type { OperationModel, SpecModel } from '../model/operation-model.ts';
import { header } from '../typescript/header.ts';
import { propertyKey } from '../typescript/names.ts';
import { methodDocs } from './method-docs.ts';
import { type MethodTypes, methodTypes } from './method-types.ts';

/** `methods.ts`: named parameters and result of each operation, and its method at the path in `x-sdk`. */
export function generateMethods({ spec, typeName, operations }: SpecModel): string {
  const tree = buildTree(operations);
  checkTypeNames(operations);
  const methods = new Map(operations.map((operation) => [operation, describeMethod(operation)]));
  const write = (operation: OperationModel): string => {
    const method = methods.get(operation);
    return method ? `${method.docs}${method.signature};\n` : '';
  };
  const isPaged = operations.some(({ paging }) => paging);
  const hasFiles = operations.some(({ fields }) => fields.some(({ encoding }) => encoding?.startsWith('base64')));
  return `${header(`spec/${spec.name}.yaml`)}
import type { Call, ${hasFiles ? 'FileContent, ' : ''}${isPaged ? 'List, ' : ''}MethodOptions } from '../../src/shared/call-types.ts';
import type * as Models from './models.ts';

${[...methods.values()].map((method) => method.declarations).join('\n')}
/** The operations of the spec as methods. */
export interface ${typeName}Methods ${writeTree(tree, write)}
`;
}

interface Method {
  declarations: string;
  docs: string;
  signature: string;
}

function describeMethod(operation: OperationModel): Method {
  const types = methodTypes(operation);
  const name = propertyKey(placeOf(operation).at(-1) ?? '');
  const result = [types.result, types.meta].filter(Boolean).join(', ');
  return {
    declarations: types.declarations,
    docs: methodDocs(operation),
    signature: `${name}(${parameters(types, operation)}): ${operation.paging ? 'List' : 'Call'}<${result}>`,
  };
}

function parameters({ params }: MethodTypes, { fields, needsField }: OperationModel): string {
  const options = 'options?: MethodOptions';
  const isRequired = needsField || fields.some((field) => field.required);
  return params ? `params${isRequired ? '' : '?'}: ${params}, ${options}` : options;
}

/** Fails if two paths, such as `push.campaigns` and `pushCampaigns`, produce the same type name. */
function checkTypeNames(operations: OperationModel[]): void {
  const names = new Map<string, OperationModel>();
  for (const operation of operations) {
    const name = operation.typeName;
    const other = names.get(name);
    if (other)
      throw new Error(`${operation.operationId}: its types would be named ${name}… like those of ${other.operationId}`);
    names.set(name, operation);
  }
}
