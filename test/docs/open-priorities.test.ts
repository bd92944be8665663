import { describe, expect, it } from 'vitest';
import { renderOpenPage } from '../../scripts/docs/open-page.ts';
import { findStale, priorities } from '../../scripts/docs/open-priorities.ts';
import { readReference } from '../../scripts/docs/site.ts';
import { specNames } from '../../scripts/spec/files.ts';
import { loadSpec } from '../../scripts/spec/model.ts';

const references = specNames.map((name) => readReference(loadSpec(name)));
const groups = references.flatMap(({ openGroups }) => openGroups);

describe('the gaps that matter most', () => {
  it('are fifteen, and each is in the specs', () => {
    expect(priorities).toHaveLength(15);
    expect(findStale(groups)).toEqual([]);
  });

  it('are stale when the specs no longer have one of them', () => {
    const known = priorities.slice(0, 1);
    const answered = groups.filter(({ id }) => id !== 'createToken');
    expect(findStale(answered, known)).toEqual([
      'credentials: createToken has no open point “No field of the body is marked as required …”',
    ]);
  });
});

describe('the page of what is not documented', () => {
  const page = renderOpenPage(references, []);

  it('has an anchor for each of them and for each entry, and no anchor twice', () => {
    const ids = Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id = '']) => id);
    expect(ids).toEqual(expect.arrayContaining([...priorities, ...groups].map(({ id }) => id)));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('leads from each of them to its entries', () => {
    const links = new Set(Array.from(page.matchAll(/href="#([^"]+)"/g), ([, id = '']) => id));
    for (const { points } of priorities) for (const [group] of points) expect(links).toContain(group);
  });

  it('keeps all entries closed, below the ones that matter most', () => {
    expect(page.match(/<details id=/g)).toHaveLength(groups.length);
    expect(page).not.toContain('<details open');
    expect(page.indexOf('id="changes"')).toBeLessThan(page.indexOf('id="createDeal"'));
  });
});
