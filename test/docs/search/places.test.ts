import { describe, expect, it } from 'vitest';
import { bestPlaces, type Section } from '../../../docs/src/search/places.ts';

const url = '/reference/errors/';

function section(id: string, ...scores: number[]): Section {
  const weighted_locations = scores.map((balanced_score) => ({ balanced_score }));
  return { title: id, url: id === '' ? url : `${url}#${id}`, excerpt: '', weighted_locations };
}

const titles = (sections: readonly Section[]): string[] => sections.map(({ title }) => title);

describe('the places of a page', () => {
  it('are its best sections, best first, without weak matches', () => {
    const { sections, best } = bestPlaces([section('a', 10), section('b', 90), section('c', 40)], url, 1);
    expect({ titles: titles(sections), best }).toEqual({ titles: ['b', 'c'], best: `${url}#b` });
  });

  it('are ranked by their best matches, so that a long section does not win by its length', () => {
    const long = section('long', ...Array.from({ length: 100 }, () => 5));
    expect(bestPlaces([long, section('short', 20, 20)], url, 2).best).toBe(`${url}#short`);
  });

  it.each(['', '_top'])("exclude the beginning of the page, which the page's own link opens: #%s", (id) => {
    const { sections, best } = bestPlaces([section(id, 90), section('b', 80)], url, 1);
    expect({ titles: titles(sections), best }).toEqual({ titles: ['b'], best: url });
  });

  it('are at most three', () => {
    const all = ['a', 'b', 'c', 'd'].map((id) => section(id, 1));
    expect(bestPlaces(all, url, 1).sections).toHaveLength(3);
  });

  it('are empty for a page without matches in its text', () => {
    expect(bestPlaces([], url, 1)).toEqual({ sections: [], best: url });
  });
});
