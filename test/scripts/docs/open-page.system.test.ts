import { describe, expect, it } from 'vitest';
import { renderOpenPage } from '../../../scripts/docs/open-page.ts';
import { readReference } from '../../../scripts/docs/site.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { readGaps } from '../../../scripts/spec/gaps.ts';
import { loadSpec } from '../../../scripts/spec/model.ts';

const gaps = readGaps();
const references = specNames.map((name) => readReference(loadSpec(name)));
const groups = references.flatMap(({ openGroups }) => openGroups);

describe('the page of what is not documented', () => {
  const page = renderOpenPage(references, []);

  it('has an anchor for each gap that matters most and for each entry, and no anchor twice', () => {
    const ids = Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id = '']) => id);
    expect(ids).toEqual(expect.arrayContaining([...gaps, ...groups].map(({ id }) => id)));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(gaps)('leads from the gap $id to the entries of its points, and to no other', ({ id }) => {
    const [, section = ''] = page.split(`<h3 id="${id}">`);
    const [where = ''] = section.split('</section>');
    const links = Array.from(where.matchAll(/href="#([^"]+)"/g), ([, link = '']) => link);
    expect(links).toEqual(groups.filter(({ points }) => points.some(({ gap }) => gap === id)).map((one) => one.id));
    expect(links.length).toBeGreaterThan(0);
  });

  it('keeps all entries closed, below the gaps that matter most', () => {
    expect(page.match(/<details id=/g)).toHaveLength(groups.length);
    expect(page).not.toContain('<details open');
    expect(page.indexOf('id="changes"')).toBeLessThan(page.indexOf('id="createDeal"'));
  });
});
