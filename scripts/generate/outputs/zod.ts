import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { $, createClient } from '@hey-api/openapi-ts';
import { resolve } from '../../spec/model.ts';
import type { OperationModel, SpecModel } from '../model/operation-model.ts';
import { header } from '../typescript/header.ts';
import { pascalCase, propertyKey } from '../typescript/names.ts';
import { takeConditions } from './conditions.ts';

/**
 * `zod.ts`: the zod schemas of all operations and components, by @hey-api/openapi-ts, with the conditions of components
 * added as refinements, and a map of them by operation.
 */
export async function generateZod(model: SpecModel): Promise<string> {
  const { spec } = model;
  const openapi = structuredClone(spec.openapi);
  const conditions = takeConditions(openapi.components.schemas);
  const output = await mkdtemp(join(tmpdir(), 'carillon-zod-'));
  try {
    await createClient({
      input: { ...openapi },
      output: { path: output, clean: false, header: header(`spec/${spec.name}.yaml`).trimEnd() },
      plugins: [
        {
          name: 'zod',
          $resolvers: {
            object({ nodes, path, plugin, ...context }) {
              const [parent, kind, name, ...rest] = path['~ref'];
              const isComponent = parent === 'components' && kind === 'schemas' && rest.length === 0;
              const own = isComponent ? conditions.get(String(name)) : undefined;
              if (!own) return undefined;
              const fits = (component: string) =>
                $(
                  plugin.referenceSymbol({
                    artifact: 'zod',
                    category: 'schema',
                    resource: 'definition',
                    resourceId: `#/components/schemas/${component}`,
                  }),
                )
                  .attr('safeParse')
                  .call('value')
                  .attr('success');
              // A closed object would drop the fields that the condition tests.
              const object = $(plugin.imports.z)
                .attr('looseObject')
                .call(nodes.shape({ nodes, path, plugin, ...context }));
              return own.reduce((schema, { when, otherwise, needs, message, isInferred }) => {
                const isFree = otherwise ? fits(when) : $.not(fits(when));
                const holds = needs === undefined ? isFree : $.binary(isFree, '||', fits(needs));
                // Without `abort`, a union would report this instead of the errors of its other branches.
                const options = $.object().prop('error', $.literal(message)).prop('abort', $.literal(true));
                if (isInferred) options.prop('params', $.object().prop('inferred', $.literal(true)));
                return schema.attr('refine').call($.func().arrow().param('value').do($.return(holds)), options);
              }, object);
            },
          },
        },
      ],
      logs: { level: 'silent', file: false },
    });
    return (await readFile(join(output, 'zod.gen.ts'), 'utf8')) + writeValidators(model);
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}

/** The part of `zod.ts` that names the schemas of each operation, for its input and its response. */
function writeValidators({ spec, operations }: SpecModel): string {
  return `
/** Schemas of the request and the response of each operation, by operationId. */
export const ${spec.name}Validators = {
${operations.map((operation) => `${operation.operationId}: { ${validatorsOf(operation).join(', ')} },\n`).join('')}};
`;
}

function validatorsOf(operation: OperationModel): string[] {
  const { operationId, parameters, body, success } = operation;
  const validator = (part: string): string => `z${pascalCase(operationId)}${part}`;
  const inside = jsonFields(operation);
  return [
    parameters.some((parameter) => parameter.in === 'path') && `path: ${validator('Path')}`,
    parameters.some((parameter) => parameter.in === 'query') && `query: ${validator('Query')}`,
    body && `body: ${validator('Body')}`,
    inside.length > 0 && `json: { ${inside.join(', ')} }`,
    success.schema && `response: ${validator('Response')}`,
  ].filter((part) => typeof part === 'string');
}

/** Body fields that hold JSON as a string, with the schema of the JSON. */
function jsonFields({ operationId, fields, spec }: OperationModel): string[] {
  return fields.flatMap(({ name, encoding, schema }) => {
    if (encoding !== 'json') return [];
    const reference = resolve(spec.openapi, schema).contentSchema?.$ref;
    if (!reference)
      throw new Error(`${operationId}: the contentSchema of ${name} must refer to a schema of components`);
    return `${propertyKey(name)}: z${pascalCase(reference.slice(reference.lastIndexOf('/') + 1))}`;
  });
}
