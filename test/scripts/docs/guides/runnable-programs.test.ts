import { describe, expect, it } from 'vitest';
import { readGuides } from '../../../../scripts/docs/guides/read-guides.ts';
import { titleFiles } from '../../../../scripts/docs/guides/runnable-programs.ts';

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
