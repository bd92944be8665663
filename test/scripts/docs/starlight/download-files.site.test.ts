import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listDownloads, specDownloads, writeDownloads } from '../../../../scripts/docs/starlight/download-files.ts';
import { specNames, specPath } from '../../../../scripts/spec/files.ts';
import { loadSpec } from '../../../../scripts/spec/model.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carillon-downloads-'));
  await writeDownloads(folder, [{ title: 'Errors', href: '/guides/errors/', about: 'every error' }]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const read = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');

describe('the downloads', () => {
  it('are the files that the page lists, and no others', async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    expect(files.sort()).toEqual(
      listDownloads()
        .map(({ file }) => join(folder, file))
        .sort(),
    );
  });

  it.each(specNames)('has %s unchanged from the repository, and the same as one JSON file', async (name) => {
    const [yaml, json] = specDownloads(name);
    expect(await read(yaml.file)).toBe(await readFile(specPath(name), 'utf8'));
    expect(JSON.parse(await read(json.file))).toEqual(loadSpec(name).openapi);
  });

  it('link from llms.txt to files and pages of the site', async () => {
    const text = await read('llms.txt');
    const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, href = '']) => href);
    expect(links).toEqual(['/llms-full.txt', ...specNames.map((name) => `/downloads/${name}.yaml`), '/guides/errors/']);
  });
});
