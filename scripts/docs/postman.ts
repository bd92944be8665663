import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';
import { isRecord } from '../../src/shared/is-record.ts';
import { sandboxKey, sandboxUrl } from '../samples/parts.ts';
import { repositoryRoot } from '../spec/files.ts';
import { listOperations, type Spec } from '../spec/model.ts';

/** Schema of the collection format. */
const format = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** Use the spec's examples for parameters, bodies and replies, and its tags as folders. */
const converterOptions = {
  folderStrategy: 'Tags',
  parametersResolution: 'Example',
  optimizeConversion: false,
};

/** Postman's converter, which has no types. */
interface Converter {
  convertV2(
    input: { type: 'json'; data: object },
    options: object,
    done: (error: Error | null, result?: unknown) => void,
  ): void;
}

const conversion = z.object({
  result: z.boolean(),
  reason: z.string().optional(),
  output: z.array(z.object({ data: z.object({ item: z.array(z.unknown()) }) })).optional(),
});

/**
 * A Postman collection of all specs, with a folder for each spec and its tags. The variables `baseUrl` and `apiKey` have the
 * local sandbox's values, so that no request leaves the machine until a user changes them.
 *
 * @throws `Error` that names the spec that cannot be converted
 */
export async function postmanCollection(specs: readonly Spec[]): Promise<object> {
  const item = [];
  for (const spec of specs) {
    const { title, summary } = spec.document.info;
    item.push({ name: title, ...(summary && { description: summary }), item: await convert(spec) });
  }
  return {
    info: {
      name: 'Carillon',
      description:
        'Start the sandbox with `npx carillon-sandbox`, and send a request. To call the service, set the variables `baseUrl` and `apiKey`.',
      schema: format,
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: sandboxUrl, type: 'string' },
      { key: 'apiKey', value: sandboxKey, type: 'string' },
    ],
    item,
  };
}

/** The folders and requests of a spec. */
async function convert(spec: Spec): Promise<unknown[]> {
  // Installed with the site generator, on demand.
  const converter: Converter = createRequire(join(repositoryRoot, 'docs', 'package.json'))('openapi-to-postmanv2');
  const converted = await new Promise<unknown>((resolve, reject) => {
    converter.convertV2({ type: 'json', data: withWholePaths(spec) }, converterOptions, (error, result) =>
      error ? reject(error) : resolve(result),
    );
  });
  const { result, reason, output } = conversion.parse(converted);
  const [collection] = output ?? [];
  if (!result || !collection) throw new Error(`spec/${spec.name}.yaml has no Postman collection: ${reason}`);
  return collection.data.item.map(withoutIds);
}

/**
 * A copy of a spec whose paths include the base path, because the specs have different bases and the collection has one.
 */
function withWholePaths(spec: Spec): object {
  const document = structuredClone(spec.document);
  const paths: Record<string, object> = {};
  for (const { base, path, method, operation, parameters } of listOperations({ ...spec, document })) {
    const { servers: _, ...rest } = operation;
    // The converter treats an empty list as "inherit", so replace it.
    const security = operation.security?.length === 0 ? { security: [{}] } : {};
    const item = { [method.toLowerCase()]: { ...rest, ...security, parameters } };
    paths[base + path] = { ...paths[base + path], ...item };
  }
  return { ...document, paths, servers: [{ url: sandboxUrl }] };
}

/** Removes the converter's random identifiers, so that the same specs produce the same file. */
function withoutIds(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutIds);
  if (!isRecord(node)) return node;
  const isEntity = 'request' in node || 'item' in node || 'originalRequest' in node;
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) => (isEntity && key === 'id' ? [] : [[key, withoutIds(value)]])),
  );
}
