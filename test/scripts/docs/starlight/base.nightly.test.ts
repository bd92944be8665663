import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSite } from '../../../../scripts/docs/starlight/build-site.ts';
import { staticHandler } from '../../../../scripts/serve/start/static-files.ts';
import { type RunningServer, serve } from '../../../../src/shared/server/serve.ts';
import { launchChromium, missingChromium } from '../../../support/chromium.ts';
import { visit } from '../../../system/browser/visit.ts';

const base = '/team/carillon/';
const origin = 'https://docs.example.com';

describe('a site for a folder of its host', { timeout: 600_000 }, () => {
  let parent: string;
  let files: ReadonlySet<string>;
  let server: RunningServer;

  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'carillon-base-'));
    const folder = join(parent, 'site');
    await buildSite({ base, site: origin, folder });
    files = new Set(await readdir(folder, { recursive: true }));
    const site = staticHandler(folder);
    server = await serve(
      {
        fetch: async (request) => {
          const { pathname, origin: own } = new URL(request.url);
          if (!pathname.startsWith(base)) return new Response('Another site', { status: 404 });
          return site(new Request(new URL(pathname.slice(base.length - 1), own), request));
        },
      },
      { port: 0 },
    );
  });
  afterAll(async () => {
    await server?.close();
    await rm(parent, { recursive: true, force: true });
  });

  const read = (file: string): Promise<string> => readFile(join(parent, 'site', file), 'utf8');

  it('has no link that leaves the folder or leads nowhere: in pages, their Markdown, Redoc, llms.txt and the search', async () => {
    const broken: string[] = [];
    for (const file of [...files].filter((name) => /(?:\.html|\.md|llms\.txt|search\.json)$/.test(name))) {
      const page = new URL(base + file.replace(/index\.html$/, ''), origin);
      for (const link of new Set(linksOf(file, await read(file)))) {
        const { origin: host, pathname } = new URL(link, page);
        const path = pathname.slice(base.length);
        const isThere = [path, `${path}index.html`].some((name) => files.has(name));
        if (host === origin && !(pathname.startsWith(base) && isThere)) broken.push(`${file}: ${link}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it('names its address to search engines', async () => {
    const page = 'crm/deals/update/';
    const address = `${origin}${base}${page}`;
    expect(await read(`${page}index.html`)).toContain(`<link rel="canonical" href="${address}"/>`);
    expect(await read('sitemap-0.xml')).toContain(`<loc>${address}</loc>`);
    expect(await read('robots.txt')).toContain(`\nSitemap: ${origin}${base}sitemap-index.xml\n`);
  });

  it.skipIf(missingChromium)('runs a sample, links its rules, copies a page and finds another', async () => {
    const browser = await launchChromium();
    const context = { permissions: ['clipboard-read', 'clipboard-write'], viewport: { width: 1440, height: 900 } };
    const { page, outside, errors } = await visit(browser, `${server.url}${base}crm/deals/update/`, context);
    await page.getByRole('button', { name: 'Run', exact: true }).first().click();
    await page.getByText(/^Finished/).waitFor();
    const links = await page.locator('sandbox-inspector').evaluate((element) => Reflect.get(element, 'links'));
    const rules = `${base}reference/rules/`;
    expect(links).toEqual({ rules, choices: rules });
    await page.getByRole('button', { name: 'Copy page' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Search the docs' }).fill('3087');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${base}reference/errors/#3087`);
    expect({ outside, errors }).toEqual({ outside: [], errors: [] });
    await browser.close();
  });
});

function linksOf(file: string, text: string): string[] {
  const isRedoc = file.startsWith('redoc');
  // A Redoc page is a program that contains its links, relative to the page, as Markdown.
  const pattern = isRedoc
    ? /(?<=\()(\.\.\/[\w./-]+)|(?<=<a href=")(\.\.\/[^"]+)/g
    : file.endsWith('.html')
      ? /<(?!link rel="canonical")[^>]*\s(?:href|src|data-address)="([^"]+)"/g
      : file.endsWith('.json')
        ? /"url":"([^"]+)"/g
        : /\]\(([^)\s]+)\)/g;
  const code = file.endsWith('.md') ? /^(`{3,}).*?^\1$|`[^`\n]+`/gms : /(?!)/g;
  return Array.from(text.replace(code, '').matchAll(pattern), ([, one = '', other = '']) => one || other).filter(
    (link) => !link.startsWith('#'),
  );
}
