import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operationPath, redocPath } from '../../../../scripts/docs/addresses.ts';
import { readProductReference } from '../../../../scripts/docs/facts/product-reference.ts';
import { repositoryAddress } from '../../../../scripts/docs/guides/links.ts';
import { listPages } from '../../../../scripts/docs/pages/list.ts';
import { siteFolder } from '../../../../scripts/docs/starlight/build-site.ts';
import { listDownloads } from '../../../../scripts/docs/starlight/download-files.ts';
import { repositoryRoot, specNames } from '../../../../scripts/spec/files.ts';
import { loadSpec } from '../../../../scripts/spec/model.ts';

const references = specNames.map((name) => readProductReference(loadSpec(name)));
const written = listPages(references).map(({ path }) => path);
const operationPaths = new Set(references.flatMap(({ operations }) => operations.map(operationPath)));
/** Starlight's pages by path. The Redoc pages are separate files. */
const pages = new Map<string, string>();

beforeAll(async () => {
  for (const file of await readdir(siteFolder, { recursive: true })) {
    if (!file.endsWith('index.html') || file.startsWith('redoc')) continue;
    pages.set(`/${file.slice(0, -'index.html'.length)}`, await readFile(join(siteFolder, file), 'utf8'));
  }
});

describe('the site', () => {
  it('has every listed page', () => {
    expect([...pages.keys()]).toEqual(expect.arrayContaining(written));
  });

  it('names no address, because it was built without --site', async () => {
    for (const [path, html] of pages) expect(html, path).not.toContain('rel="canonical"');
    const files = await readdir(siteFolder);
    expect(files.filter((file) => /sitemap|robots/.test(file))).toEqual([]);
  });

  it('has a different title and description on every page', () => {
    const heads = new Map<string, string>();
    for (const [path, html] of pages) {
      const [, title = ''] = /<title>([^<]+)<\/title>/.exec(html) ?? [];
      expect(html, path).toMatch(/<meta name="description" content="[^"]{20,}"/);
      expect(heads.get(title), `${title} is the title of ${path}, too`).toBeUndefined();
      heads.set(title, path);
    }
  });

  it('has every page as Markdown, and a link to it on the page', async () => {
    for (const [path, html] of pages) {
      const file = path === '/' ? '/index.md' : `${path.slice(0, -1)}.md`;
      const markdown = await readFile(join(siteFolder, file), 'utf8').catch(() => '');
      expect(markdown, file).toMatch(/^# .+\n\n./);
      // The start page has a banner instead of a title.
      if (path !== '/') expect(html, path).toContain(`href="${file}"`);
    }
  });

  it('shows its version, and links for editing a page only if the repository is known', async () => {
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(await readFile(join(repositoryRoot, 'package.json'), 'utf8')));
    for (const [path, html] of pages) {
      expect(html, path).toContain(`Carillon ${version}</p>`);
    }
    const repository = repositoryAddress();
    const guide = pages.get('/guides/errors/') ?? '';
    expect(guide.includes('Edit page')).toBe(repository !== undefined);
  });

  it('has at most 60 links in the menu of a page, and 70 on the page of an operation in all', () => {
    const tooMany = [...pages].flatMap(([path, html]) => {
      const isOperation = operationPaths.has(path);
      const counted = isOperation ? linksOf(html) : linksOf(menuOf(html));
      return counted.length > (isOperation ? 70 : 60) ? [`${path}: ${counted.length}`] : [];
    });
    expect(tooMany).toEqual([]);
  });

  it('leads from the first page to every operation by its menus alone, without JavaScript', () => {
    const reached = new Set(['/']);
    for (const path of reached) for (const link of linksOf(menuOf(pages.get(path) ?? ''))) reached.add(link);
    expect([...operationPaths].filter((path) => !reached.has(path))).toEqual([]);
  });

  it('has a page for unknown paths', async () => {
    const page = await readFile(join(siteFolder, '404.html'), 'utf8');
    expect(page).toContain('<title>Page not found | Carillon</title>');
    expect(page).toMatch(/<a [^>]*href="\/"/);
  });

  it('has a policy in every page', async () => {
    const missing = (await readdir(siteFolder, { recursive: true })).filter((file) => file.endsWith('.html'));
    for (const file of missing) {
      const html = await readFile(join(siteFolder, file), 'utf8');
      expect(html.match(/<meta http-equiv="content-security-policy"/gi), file).toHaveLength(1);
    }
  });

  it('has the downloads and the Redoc pages that it links to', async () => {
    const files = new Set(await readdir(siteFolder, { recursive: true }));
    for (const { file } of listDownloads()) expect(files).toContain(file);
    for (const name of specNames) expect(files).toContain(join(redocPath(name).slice(1), 'index.html'));
  });
});

function menuOf(html: string): string {
  return /<nav class="sidebar.*?<\/nav>/s.exec(html)?.[0] ?? '';
}

function linksOf(html: string): string[] {
  return Array.from(html.matchAll(/<a\s[^>]*?href="([^"]*)"/g), ([, href = '']) => href);
}
