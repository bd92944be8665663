import { describe, expect, it } from 'vitest';
import { adaptLinks, repositoryAddress } from '../../../../scripts/docs/guides/links.ts';
import { guidePages } from '../../../../scripts/docs/guides/read-guides.ts';

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
      'docs/guides/first-call.md: write the text of the link to errors.md on one line',
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
