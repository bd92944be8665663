import { expect, test } from 'vitest';
import { benchmarksPage, renderBenchmarksPage } from '../../../scripts/docs/benchmarks-page.ts';
import { results } from '../../support/benchmark-results.ts';

const page = renderBenchmarksPage(results, [benchmarksPage]);

test('the page shows each part with its goals and tables, and what was left out', () => {
  for (const [name, { title, goals, tables }] of Object.entries(results)) {
    expect(page).toContain(`<section id="${name}"><h2>${title}</h2>`);
    for (const { text } of goals) expect(page).toContain(text);
    for (const table of tables) expect(page).toContain(`<h3>${table.title}</h3>`);
  }
  expect(page).toContain('left out: is no client');
});

test('each chart is in the page itself, with a text in its place', () => {
  const sources = [...page.matchAll(/<img class="chart" src="data:image\/svg\+xml,([^"]+)" alt="Chart: ([^"]+)"/g)];
  expect(sources.map(([, , alt]) => alt)).toEqual(['A reply of 300 bytes, one at a time']);
  expect(decodeURIComponent(sources[0]?.[1] ?? '')).toMatch(/^<svg .*<\/svg>\n$/s);
});

test('without results, the build of the docs says which command makes them', () => {
  expect(() => renderBenchmarksPage({}, [benchmarksPage])).toThrow(/results\.json.*npm run bench/);
});
