import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildIfChanged } from '../../../../scripts/docs/starlight/current-site.ts';

let root: string;
let builds: number;
let lines: string[];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'carillon-current-'));
  builds = 0;
  await write('node_modules/.package-lock.json', 'marked 1.0.0');
  await write('spec/crm.yaml', 'a');
  await write('docs/guides/errors.md', 'b');
});
afterEach(() => rmSync(root, { recursive: true }));

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), text);
}

/** Resolves to whether the site was built. */
function start(): Promise<boolean> {
  lines = [];
  return buildIfChanged({
    root,
    site: join(root, 'site'),
    build: async (report) => {
      builds += 1;
      await write('site/index.html', 'the site');
      report(`index.html: build ${builds}`);
    },
    report: (line) => lines.push(line),
  });
}

describe('the docs of npm start', () => {
  it('are built the first time, and not again without a change; progress is reported each time', async () => {
    expect([await start(), lines]).toEqual([true, ['index.html: build 1']]);
    await write('.cache/other', '');
    await write('dist/index.js', '');
    expect([await start(), lines]).toEqual([false, ['index.html: build 1']]);
  });

  it.each<[what: string, change: () => Promise<void>]>([
    ['a source differs', () => write('spec/crm.yaml', 'c')],
    ['there is another source', () => write('docs/guides/jobs.md', '')],
    ['a source has gone', () => rm(join(root, 'docs'), { recursive: true })],
    [
      'a source has moved',
      async () => {
        await rm(join(root, 'spec/crm.yaml'));
        await write('spec/email.yaml', 'a');
      },
    ],
    ['a package has another version', () => write('node_modules/.package-lock.json', 'marked 2.0.0')],
    ['a page differs from what was built', () => write('site/index.html', 'another site')],
    ['there is a page that was not built', () => write('site/other.html', '')],
    ['the site has gone', () => rm(join(root, 'site'), { recursive: true })],
    ['the last build was not recorded', () => rm(join(root, '.cache'), { recursive: true })],
    ['the record is damaged', () => write('.cache/site.json', '{"sources":')],
  ])('are built again if %s', async (_, change) => {
    await start();
    await change();
    expect(await start()).toBe(true);
    expect(builds).toBe(2);
  });

  it('are built again if a source changed during the build', async () => {
    const site = join(root, 'site');
    const build = async (): Promise<void> => {
      await write('spec/crm.yaml', 'c');
      await write('site/index.html', 'of the old source');
    };
    await buildIfChanged({ root, site, build, report: () => {} });
    expect(await start()).toBe(true);
  });

  it('are built again after a failed build', async () => {
    const failing = buildIfChanged({
      root,
      site: join(root, 'site'),
      build: () => Promise.reject(new Error('no page')),
      report: () => {},
    });
    await expect(failing).rejects.toThrow('no page');
    expect(await start()).toBe(true);
  });
});
