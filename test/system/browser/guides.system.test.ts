import { describe, expect, it } from 'vitest';
import { guidesPage } from '../../../scripts/docs/guide-page.ts';
import { readGuides } from '../../../scripts/docs/guides.ts';
import { missingChromium } from '../../support/chromium.ts';
import { readsEveryPage } from './every-page.ts';
import { useSite } from './use-site.ts';

if (missingChromium) console.warn(`The guides are not tested in a browser: ${missingChromium}`);

const guides = readGuides();
const walked = readsEveryPage ? guides : guides.slice(0, 3);
const phone = { viewport: { width: 390, height: 844 } };

/** That they fit, need no network and have no fault is tested with every other page (`pages.test.ts`). */
describe.skipIf(missingChromium)('the guides in Chromium, from disk', { timeout: 60_000 }, () => {
  const { open } = useSite();

  it('a reader goes from guide to guide by the link to the next one', async () => {
    const { page } = await open(guidesPage.file);
    await page.locator('.card a').first().click();
    for (const [index, { title, page: own }] of walked.entries()) {
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      expect(page.url()).toMatch(new RegExp(`${own.file}$`));
      const next = page.getByRole('navigation', { name: 'Previous and next guide' }).locator('[rel="next"]');
      expect(await next.count()).toBe(index + 1 < guides.length ? 1 : 0);
      if (index + 1 < guides.length) await next.click();
    }
  });

  it('a heading has a link to itself', async () => {
    const { page } = await open('guide-errors.html');
    await page.getByRole('heading', { name: 'Every error' }).getByRole('link').click();
    expect(page.url()).toMatch(/#every-error$/);
    expect(await page.getByRole('heading', { name: 'Every error' }).getAttribute('id')).toBe('every-error');
  });

  it.each([true, false])(
    'the button copies the program, whether the page may use the clipboard or not: %s',
    async (permitted) => {
      const { page } = await open('guide-errors.html', {
        permissions: permitted ? ['clipboard-read', 'clipboard-write'] : [],
      });
      // What is pasted tells what was copied, also where the page may not read the clipboard.
      if (!permitted) await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
      const block = page.locator('.code').first();
      await block.getByRole('button', { name: 'Copy' }).click();
      await block.getByRole('button', { name: 'Copied' }).waitFor();
      await page.evaluate(() => document.body.append(document.createElement('textarea')));
      await page.locator('body > textarea').focus();
      await page.keyboard.press('Control+V');
      expect(await page.locator('body > textarea').inputValue()).toBe(await block.locator('code').textContent());
      await page.clock.fastForward(2_000);
      await block.getByRole('button', { name: 'Copy', exact: true }).waitFor();
    },
  );

  it('a table fits a phone: each cell is below the one before, with the heading of its column', async () => {
    const { page } = await open('guide-errors.html', phone);
    const frame = page.locator('.table').first();
    expect(await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
    // An empty cell is invisible.
    const [first, second] = await frame.locator('tbody tr').first().locator('td:visible').all();
    const above = await first?.boundingBox();
    const below = await second?.boundingBox();
    expect(above && below && below.y >= above.y + above.height).toBe(true);
    const label = await second?.evaluate((cell) => getComputedStyle(cell, '::before').content.replace(/^"|"$/g, ''));
    expect(await frame.locator('th').allTextContents()).toContain(label);
  });

  it('the keyboard reaches and scrolls what is wider than the page', async () => {
    const { page } = await open('guide-errors.html', phone);
    const frame = page.locator('.code pre').first();
    expect(await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true);
    await frame.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => frame.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
  });
});
