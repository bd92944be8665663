import { basename } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPage } from '../../../scripts/docs/layout.ts';
import { missingChromium } from '../../support/chromium.ts';
import { findFaults } from './axe.ts';
import { choosePages } from './every-page.ts';
import { expectSearch, searchParts } from './search-box.ts';
import { useSite } from './use-site.ts';
import type { Visit } from './visit.ts';

if (missingChromium) console.warn(`The search is not tested in a browser: ${missingChromium}`);

/** What readers ask, what they type, the page with the answer, and the words of the answer that they see there. */
const every: [question: string, typed: string, file: RegExp, answer: RegExp][] = [
  ['What does error code 3087 mean?', '3087', /^errors\.html$/, /^3087$/],
  ['How do I create a deal?', 'createDeal', /^crm\.html$/, /^Create a deal$/],
  ['How long may the title of a web push be?', 'push title limit', /^messaging\.html$/, /^title$/],
  ['How do I mark a deal as lost?', 'lost deal', /^rules\.html$/, /^deal-fail-/],
  ['What does deals.changePipeline do?', 'deals.changePipeline', /^crm\.html$/, /^Move a deal to another pipeline$/],
  [
    'How often can I send a web push?',
    'push-campaign-quota',
    /^rules\.html$/,
    /one new web push campaign every 15 minutes/,
  ],
  ['How do I export my contacts?', 'export contacts', /^guide-export-contacts\.html$/, /^Export all contacts$/],
  ['Does the client repeat a failed request?', 'errors and retries', /^guide-errors\.html$/, /^Errors and retries$/],
  ['How do I unsubscribe an address?', 'unsubscribe address', /^email\.html$/, /^Unsubscribe addresses$/],
  ['In which time zone are dates?', 'time zone', /^open\.html$/, /time zone/],
  ['How do I use the sandbox in a test?', 'createSandbox', /^carillon-sandbox\.createSandbox\.html$/, /createSandbox$/],
  ['How long does a call wait?', 'ClientOptions.timeout', /^carillon\.ClientOptions\.html$/, /^timeout$/],
];
/** One for each kind of page. What the search finds for most questions is tested without a browser too. */
const samples = ['3087', 'createDeal', 'push-campaign-quota', 'errors and retries', 'time zone', 'createSandbox'];
const typed = choosePages(
  every.map(([, text]) => text),
  samples,
);
const questions = every.filter(([, text]) => typed.includes(text));

describe.skipIf(missingChromium)('the search in Chromium, from disk', { timeout: 120_000 }, () => {
  const site = useSite();

  /** Types a question on any page, without a click. */
  async function ask(page: Page, text: string): Promise<void> {
    const { field, options } = searchParts(page);
    await page.keyboard.press('/');
    await field.waitFor();
    await page.keyboard.type(text);
    await options.first().waitFor();
  }

  describe('two actions lead from the first page to the answer: type, then Enter', () => {
    let opened: Visit;
    beforeAll(async () => {
      opened = await site.visit(startPage.file);
    });
    afterAll(() => opened?.close());

    it.each(questions)('%s', async (_, typed, file, answer) => {
      const { page, outside, errors } = opened;
      await page.goto(site.address(startPage.file));
      await ask(page, typed);
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => file.test(basename(url.pathname)));
      await expect
        .poll(() => shownAndMarked(page), { timeout: 15_000 })
        .toEqual(expect.arrayContaining([expect.stringMatching(answer)]));
      expect({ outside, errors }).toEqual({ outside: [], errors: [] });
    });
  });

  // `docs.test.ts` expects the same of the references, and `try.test.ts` of the console.
  it.each(['guide-errors.html', 'package/index.html', 'package/classes/carillon.ApiError.html'])(
    'Ctrl+K on %s finds the same as on the first page, and there is no other search',
    async (file) => {
      const { page, errors } = await site.open(file);
      await expectSearch(page);
      expect(errors).toEqual([]);
    },
  );

  it('the keyboard chooses a hit, and a screen reader announces it', async () => {
    const { page } = await site.open(startPage.file);
    await ask(page, 'blacklist');
    const { field, options } = searchParts(page);
    const chosen = async (): Promise<(string | null)[]> => {
      const selected = await options
        .and(page.locator('[aria-selected="true"]'))
        .evaluateAll((all) => all.map(({ id }) => id));
      return [await field.getAttribute('aria-activedescendant'), ...selected];
    };
    const ids = await options.evaluateAll((all) => all.map(({ id }) => id));
    expect(await chosen()).toEqual([ids[0], ids[0]]);
    await page.keyboard.press('ArrowDown');
    expect(await chosen()).toEqual([ids[1], ids[1]]);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await chosen()).toEqual([ids.at(-1), ids.at(-1)]);
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    expect(await page.getByRole('status').filter({ visible: true }).textContent()).toBe(`${ids.length} results`);
    await field.fill('qqqqqq');
    await page.getByText('Nothing found for “qqqqqq”').waitFor();
    expect(await field.getAttribute('aria-activedescendant')).toBeNull();
  });

  it('a hit on the same page moves to its place without a reload', async () => {
    const { page } = await site.open('rules.html');
    await page.evaluate(() => document.body.setAttribute('data-same', ''));
    await ask(page, 'push-campaign-quota');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => shownAndMarked(page))
      .toEqual(expect.arrayContaining([expect.stringMatching(/^push-campaign-quota$/)]));
    expect(page.url()).toMatch(/rules\.html#push-campaign-quota$/);
    expect(await page.locator('body[data-same]').count()).toBe(1);
  });

  it.each(['light', 'dark'] as const)('has no fault that axe finds, in %s, and fits a phone', async (colorScheme) => {
    const { page } = await site.open(startPage.file, { colorScheme, viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: 'Search' }).click();
    await page.keyboard.type('deal');
    await searchParts(page).options.first().waitFor();
    expect(await findFaults(page)).toEqual([]);
    const box = await searchParts(page).dialog.boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844).toBe(true);
  });
});

/** Texts in view that are marked as found: the whole text of each element around a mark. */
function shownAndMarked(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const marked = [...(CSS.highlights.get('carillon-found') ?? [])];
    const elements = marked.map(({ startContainer }) =>
      startContainer instanceof Text ? startContainer.parentElement : null,
    );
    return [...new Set(elements)].flatMap((element) => {
      const { top = -1, bottom = 0 } = element?.getBoundingClientRect() ?? {};
      return element && top >= 0 && bottom <= innerHeight
        ? [element.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '']
        : [];
    });
  });
}
