/** The header of every page, which leads to the other pages. */
import type { Page as BrowserPage, Locator } from 'playwright-core';
import { expect, vi } from 'vitest';
import { type Page, startPage } from '../../../scripts/docs/layout.ts';
import { headerPages } from '../../../scripts/docs/site.ts';

/** The pages that the header leads to, in its order. */
export const headed: Page[] = [startPage, ...headerPages()];

/** How a reader uses a link. */
type Way = 'by click' | 'by keyboard';

/**
 * Expects the header to name every page and to mark this one, and follows its link to the next page. The next page need
 * not load: its own test expects the same of it.
 */
export async function expectHeader(page: BrowserPage, file: string, way: Way): Promise<void> {
  const next = nextOf(file);
  await press(page, await openList(page, file, way, next), way);
  await page.waitForURL((url) => url.pathname.endsWith(`/${next.file}`), { waitUntil: 'commit' });
}

/** Expects of the header what `expectHeader` does, by keyboard, but stays on the page: the link is used and not followed. */
export async function expectHeaderKeys(page: BrowserPage, file: string): Promise<void> {
  const next = nextOf(file);
  const link = await openList(page, file, 'by keyboard', next);
  await link.evaluate((one) => {
    const stay = (event: Event): void => {
      // Whatever the page itself does comes first.
      const isUsed = !event.defaultPrevented && one instanceof HTMLAnchorElement && event.composedPath().includes(one);
      document.documentElement.dataset.used = isUsed ? one.href : '';
      event.preventDefault();
    };
    addEventListener('click', stay, { once: true });
  });
  await press(page, link, 'by keyboard');
  expect(await page.evaluate(() => document.documentElement.dataset.used)).toMatch(new RegExp(`/${next.file}$`));
  // The list is closed again, as it was.
  await page
    .getByRole('banner')
    .locator('summary')
    .evaluate((one) => one.parentElement?.removeAttribute('open'));
}

function nextOf(file: string): Page {
  const place = headed.findIndex((one) => one.file === file);
  const next = headed[(place + 1) % headed.length];
  if (place < 0 || !next) throw new Error('The header leads nowhere');
  return next;
}

/** Opens the list of the project's pages, and returns its link to one of them. */
async function openList(page: BrowserPage, file: string, way: Way, next: Page): Promise<Locator> {
  const header = page.getByRole('banner');
  const own = headed.find((one) => one.file === file);
  expect(await header.locator('[aria-current="page"]').textContent()).toBe(own?.label);
  await press(page, header.locator('summary'), way);
  expect(await header.getByRole('link').allTextContents()).toEqual(headed.map(({ label }) => label));
  return header.getByRole('link', { name: next.label, exact: true });
}

async function press(page: BrowserPage, target: Locator, way: Way): Promise<void> {
  if (way === 'by click') return target.click();
  await target.focus();
  await page.keyboard.press('Enter');
}

/**
 * Chooses dark colours on a page from disk until the next load of it has them. Such pages have processes of their own, and
 * Chromium may lose a choice if the page is left at once.
 */
export async function chooseDark(page: BrowserPage, url: string): Promise<void> {
  await vi.waitFor(
    async () => {
      await page.goto(url);
      const button = page.getByRole('button', { name: 'Use dark colours' });
      if (await button.isVisible()) await button.click();
      await page.goto(url);
      await expectDark(page);
    },
    { timeout: 60_000 },
  );
}

/** Expects the page to be dark, as the reader chose on another one. */
export async function expectDark(page: BrowserPage): Promise<void> {
  expect(await isDark(page), page.url()).toBe(true);
}

/** Expects the switch of a dark page to change it to light and back at once. */
export async function expectSwitch(page: BrowserPage): Promise<void> {
  const message = page.url();
  await page.getByRole('button', { name: 'Use light colours' }).click();
  await expect.poll(() => isDark(page), { message, timeout: 10_000 }).toBe(false);
  await page.getByRole('button', { name: 'Use dark colours' }).click();
  await expect.poll(() => isDark(page), { message, timeout: 10_000 }).toBe(true);
}

/** Whether the page is darker than middle grey, as a reader sees it. */
function isDark(page: BrowserPage): Promise<boolean> {
  return page.evaluate(() => {
    const colors = [document.body, document.documentElement].map((part) => getComputedStyle(part).backgroundColor);
    const [red = 255] = colors.find((color) => color !== 'rgba(0, 0, 0, 0)')?.match(/\d+/g) ?? [];
    return Number(red) < 128;
  });
}
