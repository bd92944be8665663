import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { downloadsPage } from '../../../scripts/docs/pages/downloads.ts';
import { repositoryRoot, type SpecName, specNames, specPath } from '../../../scripts/spec/files.ts';
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
  request?: { method: string; url: { path: string[]; variable?: { key: string; value: string }[] } };
  variable?: { key: string; value: string }[];
  auth?: { type: string; bearer?: { key: string; value: string }[] };
}
const converter: Converter = createRequire(join(repositoryRoot, 'docs', 'package.json'))('openapi-to-postmanv2');

function foldersIn(folder: Folder): Folder[] {
  return [folder, ...(folder.item ?? []).flatMap(foldersIn)];
}

async function importSpec(name: SpecName, options: object): Promise<Folder> {
  const data = readFileSync(specPath(name), 'utf8');
  const converted = await new Promise<Converted>((resolve, reject) =>
    converter.convertV2({ type: 'string', data }, options, (error, result) =>
      error ? reject(error) : resolve(result),
    ),
  );
  expect([converted.result, converted.reason]).toEqual([true, undefined]);
  return converted.output?.[0]?.data ?? expect.unreachable();
}

test.each(specNames)('Postman imports spec/%s.yaml with a request for each operation', async (name) => {
  const requests = foldersIn(await importSpec(name, {})).flatMap(({ request }) =>
    request ? [`${request.method} /${request.url.path.join('/')}`] : [],
  );
  const wanted = listOperations(loadSpec(name)).map(
    ({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  );
  expect(requests.sort()).toEqual(wanted.sort());
});

test.each(specNames)(
  'with the settings that the page of downloads names, spec/%s.yaml has its examples, and two variables to set',
  async (name) => {
    const collection = await importSpec(name, { parametersResolution: 'Example' });
    const { body } = downloadsPage();
    expect(collection.variable).toContainEqual({ key: 'base_url', value: 'https://api.example.com' });
    expect(body).toContain('`base_url`');
    expect(collection.auth?.bearer).toContainEqual(expect.objectContaining({ value: '{{bearerToken}}' }));
    expect(body).toContain('`bearerToken`');
    const values = foldersIn(collection).flatMap(({ request }) => request?.url.variable ?? []);
    // Without the setting, a value is a type, such as `<string>`.
    expect(values.filter(({ value }) => /^<.*>$|^$/.test(value))).toEqual([]);
  },
);
