import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { $, createClient } from '@hey-api/openapi-ts';
import { takeConditions } from './conditions.ts';
import { header } from './header.ts';
import type { SpecModel } from './operation-model.ts';
import { writeValidators } from './validators.ts';

/**
 * `zod.ts`: the zod schemas of all operations and components, by @hey-api/openapi-ts, with the conditions of components
 * added as refinements, and a map of them by operation.
 */
export async function generateZod(model: SpecModel): Promise<string> {
  const { spec } = model;
  const document = structuredClone(spec.document);
  const conditions = takeConditions(document.components.schemas);
  const output = await mkdtemp(join(tmpdir(), 'carillon-zod-'));
  try {
    await createClient({
      input: { ...document },
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
