import { header } from './header.ts';
import { source } from './literal.ts';
import type { OperationModel, SpecModel } from './operation-model.ts';
import { typeOf } from './typescript.ts';

/**
 * `paths.ts`: for each method and path, the arguments of a call by path and the types of its payload and metadata.
 * Entries only look up types, so that the compiler need not evaluate conditional types.
 */
export function generatePaths({ spec, typeName, operations }: SpecModel): string {
  const methods = [...new Set(operations.map((operation) => operation.method))].sort();
  const groups = methods.map((method) => {
    const entries = operations.filter((operation) => operation.method === method).map(entry);
    return `  /** Operations called by \`${method}\`. */\n  ${method}: {\n${entries.join('')}  };\n`;
  });
  const hasMeta = operations.some(({ envelope }) => envelope.beside.length > 0);
  return `${header(`spec/${spec.name}.yaml`)}
import type { CallOptions } from '../../src/client/core/options.ts';
${hasMeta ? "import type * as Methods from './methods.ts';\n" : ''}import type * as Models from './models.ts';
import type { operations } from './types.ts';

/** Every path of the spec: arguments, payload and metadata of a call by path. */
export interface ${typeName}Paths {
${groups.join('')}}
`;
}

function entry(operation: OperationModel): string {
  const { summary, deprecated } = operation.operation;
  const { envelope, typeName, spec } = operation;
  const payload = envelope.payload ? typeOf(envelope.payload, { spec, prefix: 'Models.' }) : 'undefined';
  return `/** ${summary}.${deprecated ? ' @deprecated' : ''} */
    ${source(operation.path)}: {
      args: ${args(operation)};
      data: ${payload};
      meta: ${envelope.beside.length > 0 ? `Methods.${typeName}Meta` : 'undefined'};
    };
`;
}

/** A member of a request. Optional members also accept `undefined`. */
function property(name: string, required: boolean, type: string): string {
  return required ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
}

function args(operation: OperationModel): string {
  const own = `operations['${operation.operationId}']`;
  const places = (['path', 'query', 'header'] as const).flatMap((place) => {
    const parameters = operation.parameters.filter((parameter) => parameter.in === place);
    if (parameters.length === 0) return [];
    const required = parameters.some((parameter) => parameter.required);
    return [{ text: property(place, required, `${own}['parameters']['${place}']`), required }];
  });
  const parts: { text: string; required: boolean }[] = [];
  if (places.length > 0) {
    const required = places.some((place) => place.required);
    parts.push({ text: property('params', required, `{ ${places.map((p) => p.text).join('; ')} }`), required });
  }
  if (operation.body) {
    const body = operation.body.required ? `${own}['requestBody']` : `NonNullable<${own}['requestBody']>`;
    const required = operation.body.required || operation.needsField;
    parts.push({ text: property('body', required, `${body}['content']['application/json']`), required });
  }
  if (parts.length === 0) return '[init?: CallOptions]';
  const required = parts.some((part) => part.required);
  return `[init${required ? '' : '?'}: CallOptions & { ${parts.map((part) => part.text).join('; ')} }]`;
}
