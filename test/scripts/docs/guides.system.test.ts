import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repositoryAddress } from '../../../scripts/docs/guide-links.ts';
import { renderMarkdown } from '../../../scripts/docs/guide-markdown.ts';
import { guidesPage, renderGuidePage, renderGuidesPage } from '../../../scripts/docs/guide-page.ts';
import { type Guide, readGuide, readGuides } from '../../../scripts/docs/guides.ts';
import { html } from '../../../scripts/docs/html.ts';
import { readTemplate } from '../../../scripts/docs/layout.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

const start = '# Title\n\nWhat you get.\n\n';
const errors = readGuide('errors', `${start}## Every error\n\nText\n\n## Every error\n`);

/** A guide with this text below title and lead, as HTML. */
function render(markdown: string, repository?: string): string {
  const guide = readGuide('first-call', start + markdown);
  return renderMarkdown(guide, [guide, errors], repository).source;
}

describe('reading guides', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'carillon-guides-'));
    cpSync(join(repositoryRoot, 'docs', 'guides'), folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('returns all of them in the order of tasks, with title and lead', () => {
    const guides = readGuides(folder);
    expect(guides.map(({ name }) => name)).toEqual([
      'first-call',
      'authentication',
      'options',
      'export-contacts',
      'import-contacts',
      'jobs',
      'send-email',
      'campaign',
      'web-push',
      'terminal',
      'agents',
      'tanstack-query',
      'proxies',
      'own-fields',
      'errors',
      'sandbox',
      'mock',
      'upgrade',
    ]);
    for (const { name, title, lead, page } of guides) {
      const markdown = readFileSync(join(folder, `${name}.md`), 'utf8');
      expect(markdown.startsWith(`# ${title}\n\n`)).toBe(true);
      expect(markdown.replaceAll('\n', ' ')).toContain(`  ${lead}  `);
      expect(page).toEqual({ file: `guide-${name}.html`, label: title });
    }
  });

  it('refuses one that has no place in the order', () => {
    writeFileSync(join(folder, 'more.md'), start);
    expect(() => readGuides(folder)).toThrow(/more\.md: give it a place in the order/);
  });

  it('refuses an order that names one that is not there', () => {
    rmSync(join(folder, 'errors.md'));
    expect(() => readGuides(folder)).toThrow(/errors\.md is not there/);
  });

  it.each([
    ['no title', 'Text\n', /begin with its title/],
    ['no lead', '# Title\n\n## Next\n', /needs a first paragraph/],
    ['a link in its lead', '# Title\n\nSee [this](./errors.md).\n', /without links/],
  ])('refuses one with %s', (_, markdown, message) => {
    expect(() => readGuide('more', markdown)).toThrow(message);
  });

  it('gives headings the anchors that GitHub gives them', () => {
    const { headings } = readGuide('more', `${start}## What, \`sent\` says?\n\n## A – b\n\n## A – b\n`);
    expect(headings.map(({ id }) => id)).toEqual(['what-sent-says', 'a--b', 'a--b-1']);
  });
});

describe('links of a guide', () => {
  it.each([
    ['./errors.md', 'guide-errors.html'],
    ['./errors.md#every-error-1', 'guide-errors.html#every-error-1'],
    ['#here', '#here'],
    ['https://semver.org', 'https://semver.org'],
    ['../../README.md', 'https://example.com/repository/blob/HEAD/README.md'],
    ['../../spec/README.md#our-extensions', 'https://example.com/repository/blob/HEAD/spec/README.md#our-extensions'],
    ['../decisions', 'https://example.com/repository/tree/HEAD/docs/decisions'],
  ])('%s leads to %s', (href, target) => {
    expect(render(`## Here\n\n[Text](${href})`, 'https://example.com/repository')).toContain(
      `<a href="${target}">Text</a>`,
    );
  });

  it('lead nowhere where the address of the repository is not known', () => {
    expect(render('See [the specs](../../spec/README.md).')).toContain('<p>See the specs.</p>');
  });

  it.each([
    './nothing.md',
    './errors.md#nothing',
    '#nothing',
    '../../nothing.ts',
    '../../README.md#nothing',
    '../../package.json#nothing',
    '../../../outside.md',
  ])('%s fails the build', (href) => {
    expect(() => render(`## Here\n\n[Text](${href})`)).toThrow(
      `docs/guides/first-call.md links to ${href}, which is not there`,
    );
  });

  it.each([
    ['{}', undefined],
    ['{"repository":"github:a/b"}', 'https://github.com/a/b'],
    ['{"repository":"a/b"}', 'https://github.com/a/b'],
    ['{"repository":{"type":"git","url":"git+https://example.com/a/b.git"}}', 'https://example.com/a/b'],
  ])('take the repository from package.json: %s', (packageJson, address) => {
    expect(repositoryAddress(packageJson)).toBe(address);
  });
});

describe('a guide as a page', () => {
  it('escapes code, and highlights what it knows', () => {
    expect(render('```ts browser\nconst a = "<b>";\n```')).toContain(
      '<span class="hljs-keyword">const</span> a = <span class="hljs-string">&quot;&lt;b&gt;&quot;</span>;',
    );
    expect(render('```csv people.csv\na<b\n```')).toMatch(/<span>people\.csv<\/span>.*<code>a&lt;b<\/code>/);
  });

  it('offers to copy what is typed, not what is printed', () => {
    expect(render('```sh\nls\n```')).toContain('class="copy"');
    expect(render('```text output\n1\n```')).not.toContain('class="copy"');
  });

  it.each([
    ['HTML', '<b>bold</b>'],
    ['an image', '![](./image.png)'],
  ])('refuses %s, which no guide needs', (_, markdown) => {
    expect(() => render(markdown)).toThrow(/first-call\.md has .*, which pages do not show/);
  });

  const guides: Guide[] = readGuides();
  const first = guides[0];
  const last = guides.at(-1);

  it('leads to its neighbours and to all others, and marks its own place', () => {
    const [, before, guide, after] = guides;
    if (!before || !guide || !after || !first || !last) throw new Error('There are too few guides');
    const page = renderGuidePage(guide, guides, [guidesPage]);
    expect(page).toContain(`<a rel="prev" href="${before.page.file}">`);
    expect(page).toContain(`<a rel="next" href="${after.page.file}">`);
    for (const other of guides) expect(page).toContain(`<li><a href="${other.page.file}"`);
    expect(page.match(/<li><a href="[^"]+" aria-current="page">/g)).toHaveLength(1);
    expect(renderGuidePage(first, guides, [guidesPage])).not.toContain('<a rel="prev"');
    expect(renderGuidePage(last, guides, [guidesPage])).not.toContain('<a rel="next"');
  });

  it('has a list of all of them with their leads', () => {
    const page = renderGuidesPage(guides, [guidesPage]);
    for (const { page: to, title } of guides) expect(page).toContain(`${html`<a href="${to.file}">${title}</a>`}`);
    expect(page.match(/<li class="card">/g)).toHaveLength(guides.length);
  });
});

describe('the colours of code', () => {
  const variables = ['shared.css', 'code.css']
    .flatMap((name) => [...readTemplate(name).matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)])
    .map(([, name = '', light = '', dark = '']) => ({ name, colors: [light, dark] }));
  const ground = variables.find(({ name }) => name === 'carillon-raised')?.colors ?? [];
  const inks = variables.filter(({ name }) => /^code-|^carillon-(?:ink|muted)$/.test(name));

  it.each(inks)('$name is read well in light and in dark', ({ colors }) => {
    for (const [index, color] of colors.entries()) {
      expect(contrast(color, ground[index] ?? '')).toBeGreaterThanOrEqual(4.5);
    }
  });
});

/** Contrast ratio (WCAG 2.2, 1.4.3). */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
