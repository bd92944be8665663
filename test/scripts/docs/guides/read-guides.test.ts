import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { menu } from '../../../../scripts/docs/guides/menu.ts';
import { readGuide, readGuides } from '../../../../scripts/docs/guides/read-guides.ts';
import { repositoryRoot } from '../../../../scripts/spec/files.ts';

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
    expect(() => readGuides([], folder)).toThrow('more.md: add the guide to scripts/docs/guides/menu.ts');
  });

  it('fail the build if the menu names a file that does not exist', () => {
    rmSync(join(folder, 'errors.md'));
    expect(() => readGuides([], folder)).toThrow('scripts/docs/guides/menu.ts names errors');
  });

  it.each([
    ['no title', 'Text\n', /begin with its title/],
    ['no first paragraph', '# Title\n\n## Next\n', /needs a first paragraph/],
    ['a link in its first paragraph', '# Title\n\nSee [this](./errors.md).\n', /without links/],
  ])('fail the build if one has %s', (_, markdown, message) => {
    expect(() => readGuide('more', markdown)).toThrow(message);
  });
});
