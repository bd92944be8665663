/** The header of every page, which leads to the other pages. */
import type { Page as BrowserPage } from 'playwright-core';
import { expect } from 'vitest';
import { type Page, startPage } from '../../scripts/docs/layout.ts';
import { headerPages } from '../../scripts/docs/site.ts';

/** The pages that the header leads to, in its order. */
export const headed: Page[] = [startPage, ...headerPages()];

/** How a reader uses a link. */
type Way = 'by click' | 'by keyboard';

/**
 * Expects the header to name every page and to mark this one, and follows its link to the next page. The next page need
 * not load: its own test expects the same of it.
 */
export async function expectHeader(page: BrowserPage, file: string, way: Way): Promise<void> {
  const place = headed.findIndex((one) => one.file === file);
  const next = headed[(place + 1) % headed.length];
  if (!next) throw new Error('The header leads nowhere');
  const header = page.getByRole('banner');
  expect(await header.locator('[aria-current="page"]').textContent()).toBe(headed[place]?.label);
  expect(await header.getByRole('link').allTextContents()).toEqual(headed.map(({ label }) => label));
  const link = header.getByRole('link', { name: next.label, exact: true });
  if (way === 'by click') await link.click();
  else {
    await link.focus();
    await page.keyboard.press('Enter');
  }
  await page.waitForURL((url) => url.pathname.endsWith(`/${next.file}`), { waitUntil: 'commit' });
}
