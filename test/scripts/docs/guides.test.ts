import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  adaptLinks,
  guidePages,
  readGuide,
  readGuides,
  repositoryAddress,
  titleFiles,
} from '../../../scripts/docs/guides.ts';
import { menu } from '../../../scripts/docs/menu.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

const start = '# Title\n\nText for readers.\n\n';

describe('the guides', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'carillon-guides-'));
    cpSync(join(repositoryRoot, 'docs', 'guides'), folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are read in the order of the menu', () => {
    const names = menu.flatMap(({ guides }) => guides);
    expect(readGuides([], folder).map(({ name }) => name)).toEqual(names);
  });

  it('fail the build if a file is missing from the menu', () => {
    writeFileSync(join(folder, 'more.md'), start);
    expect(() => readGuides([], folder)).toThrow('more.md: give it a place in scripts/docs/menu.ts');
  });

  it('fail the build if the menu names a file that does not exist', () => {
    rmSync(join(folder, 'errors.md'));
    expect(() => readGuides([], folder)).toThrow('scripts/docs/menu.ts names errors');
  });

  it.each([
    ['no title', 'Text\n', /begin with its title/],
    ['no first paragraph', '# Title\n\n## Next\n', /needs a first paragraph/],
    ['a link in its first paragraph', '# Title\n\nSee [this](./errors.md).\n', /without links/],
  ])('fail the build if one has %s', (_, markdown, message) => {
    expect(() => readGuide('more', markdown)).toThrow(message);
  });

  it("have headings with GitHub's anchors", () => {
    const { headings } = readGuide('more', `${start}## What, \`sent\` says?\n\n## A – b\n\n## A – b\n`);
    expect(headings.map(({ id }) => id)).toEqual(['what-sent-says', 'a--b', 'a--b-1']);
  });
});

describe('the name of a file at a block of a guide', () => {
  it('is the title of the block', () => {
    expect(titleFiles('```json promo.json\n{}\n```\n\n```ts browser\na();\n```')).toBe(
      '```json title="promo.json"\n{}\n```\n\n```ts browser\na();\n```',
    );
  });

  it('is in the text before it, for readers of the file on GitHub, which shows no titles', () => {
    const unnamed = readGuides().flatMap(({ name, markdown }) =>
      [...markdown.matchAll(/^```\w+ (\S*[./]\S*)$/gm)].flatMap(({ index, 1: file = '' }) => {
        const section = markdown.slice(0, index).split(/^## /m).at(-1) ?? '';
        return section.replaceAll(/^```.*?^```$/gms, '').includes(`\`${file}\``) ? [] : [`${name}: ${file}`];
      }),
    );
    expect(unnamed).toEqual([]);
  });
});

describe('a link of a guide', () => {
  const repository = 'https://example.com/repository';
  const adapt = (href: string, address: string | undefined = repository): string =>
    adaptLinks(`See [the text](${href}).`, 'docs/guides/first-call.md', guidePages(), address);

  it.each([
    ['errors.md', '/guides/errors/'],
    ['./options.md', '/guides/options/'],
    ['#here', '#here'],
    ['https://semver.org', 'https://semver.org'],
    ['../../README.md', `${repository}/blob/HEAD/README.md`],
    ['../../spec/README.md#our-extensions', `${repository}/blob/HEAD/spec/README.md#our-extensions`],
    ['../decisions', `${repository}/tree/HEAD/docs/decisions`],
  ])('to %s leads to %s', (href, target) => {
    expect(adapt(href)).toBe(`See [the text](${target}).`);
  });

  it('to a file without a page becomes text if the repository has no public address', () => {
    expect(
      adaptLinks('See [the specs](../../spec/README.md).', 'docs/guides/first-call.md', guidePages(), undefined),
    ).toBe('See the specs.');
  });

  it('in a block of code is not a link', () => {
    const code = '```md\n[x](nothing.md)\n```';
    expect(adaptLinks(code, 'docs/guides/first-call.md', guidePages(), repository)).toBe(code);
  });

  it('in a list, with a text of two lines, fails the build instead of staying relative', () => {
    const markdown = '- See [the\n  text](errors.md).';
    expect(() => adaptLinks(markdown, 'docs/guides/first-call.md', guidePages(), repository)).toThrow(
      'docs/guides/first-call.md: write the text of the link to errors.md in one line',
    );
  });

  it.each(['nothing.md', 'errors.md#nothing', '../../nothing.ts', '../../README.md#nothing', '../../../outside.md'])(
    'to %s fails the build',
    (href) => {
      expect(() => adapt(href)).toThrow(`docs/guides/first-call.md links to ${href}, which does not exist`);
    },
  );
});

it.each([
  ['{}', undefined],
  ['{"repository":"github:a/b"}', 'https://github.com/a/b'],
  ['{"repository":"a/b"}', 'https://github.com/a/b'],
  ['{"repository":{"type":"git","url":"git+https://example.com/a/b.git"}}', 'https://example.com/a/b'],
])('the address of the repository comes from package.json: %s', (packageJson, address) => {
  expect(repositoryAddress(packageJson)).toBe(address);
});
