import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot, specNames, specPath } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';

/** Postman's own converter for imports. It has no types. */
interface Converter {
  convertV2(
    input: { type: 'string'; data: string },
    options: object,
    done: (error: Error | null, result: Converted) => void,
  ): void;
}
interface Converted {
  result: boolean;
  reason?: string;
  output?: { data: Folder }[];
}
interface Folder {
  item?: Folder[];
  request?: { method: string; url: { path: string[] } };
}
const converter: Converter = createRequire(join(repositoryRoot, 'docs', 'package.json'))('openapi-to-postmanv2');

function requestsIn({ item = [], request }: Folder): string[] {
  return [...(request ? [`${request.method} /${request.url.path.join('/')}`] : []), ...item.flatMap(requestsIn)];
}

test.each(specNames)('Postman imports spec/%s.yaml with a request for each operation', async (name) => {
  const data = readFileSync(specPath(name), 'utf8');
  const converted = await new Promise<Converted>((resolve, reject) =>
    converter.convertV2({ type: 'string', data }, {}, (error, result) => (error ? reject(error) : resolve(result))),
  );
  expect([converted.result, converted.reason]).toEqual([true, undefined]);
  const [collection] = converted.output ?? [];
  const wanted = listOperations(loadSpec(name)).map(
    ({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  );
  expect(requestsIn(collection?.data ?? {}).sort()).toEqual(wanted.sort());
});
