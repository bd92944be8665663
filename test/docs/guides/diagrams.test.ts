import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

const folder = join(repositoryRoot, 'docs', 'diagrams');
const diagrams = readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const);

/** The diagrams in guides, with their captions. */
const shown = readdirSync(join(repositoryRoot, 'docs', 'guides')).flatMap((guide) => {
  const text = readFileSync(join(repositoryRoot, 'docs', 'guides', guide), 'utf8');
  return [...text.matchAll(/^!\[([^\]]*)\]\(\.\.\/diagrams\/([\w-]+\.svg)\)$/gm)].map(
    ([, caption = '', file = '']) => ({
      file,
      caption,
    }),
  );
});

it('each diagram is in one guide, with a caption that describes it in words', () => {
  expect(shown.map(({ file }) => file).sort()).toEqual(diagrams.map(([file]) => file).sort());
  for (const { file, caption } of shown) expect(caption.split(' ').length, file).toBeGreaterThan(15);
});

describe.each(diagrams)('%s', (file, svg) => {
  const name = file.replace(/\.svg$/, '');

  it('has a title and a description for screen readers, with unique ids', () => {
    expect(svg).toContain(`role="img" aria-labelledby="${name}-title ${name}-desc"`);
    expect(svg).toMatch(new RegExp(`<title id="${name}-title">[^<]{10,}</title>`));
    expect(svg).toMatch(new RegExp(`<desc id="${name}-desc">[^<]{60,}</desc>`));
  });

  it('is readable on a phone: 14 px in 420 units', () => {
    expect(svg).toMatch(/viewBox="0 0 420 \d+"/);
    expect(svg).toContain('font: 14px ');
    expect(svg).not.toMatch(/font-size/);
  });

  it("takes its colours from the site's theme, or has its own background", () => {
    const [style = '', drawing = ''] = svg.split('</style>');
    expect(drawing).toMatch(/^\s*<rect class="ground"/);
    expect(drawing).not.toMatch(/(?:fill|stroke|style)="/);
    for (const [, value = ''] of style.matchAll(/--cd-\w+: ([^;]+);/g))
      expect(value).toMatch(/^var\(--sl-color-[\w-]+, #\w{6}\)$/);
    const dark = style.split('prefers-color-scheme: dark')[1] ?? '';
    const names = (text: string): string[] => [...text.matchAll(/(--cd-\w+):/g)].map(([, found = '']) => found);
    expect(names(dark)).toEqual(names(style.split('@media')[0] ?? ''));
  });

  it('loads no resources and runs no scripts', () => {
    expect(svg).not.toMatch(/<script|href=|url\(|@import|https?:\/\/(?!www\.w3\.org)/);
  });
});
