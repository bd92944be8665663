import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { consoleId } from '../../scripts/docs/try/ids.ts';
import { findFaults } from './axe.ts';
import { TryReader } from './try-reader.ts';

/** A desk, a tablet and a phone. */
const widths = [1280, 820, 390];

/**
 * Expects the page "Try it" to fit every width, with the list of requests open, and what is ours to have no fault that
 * axe finds. Returns the colours of the console and of the header.
 */
export async function expectLooks(page: Page, api: string): Promise<string[]> {
  const status = await page.evaluate(async (address) => (await fetch(address)).status, `${api}/nothing-here`);
  expect(status).toBe(404);
  await new TryReader(page).expectStatus('404 GET');
  await page.getByText(/^Requests \d+$/).click();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    // The tablet's layout is the desk's. Faults in Scalar's own part cannot be fixed here.
    if (width === 820) continue;
    expect(await findFaults(page, { exclude: [`#${consoleId}`, '[id^="headlessui-portal"]'] })).toEqual([]);
  }
  const parts = [page.locator('.scalar-app').first(), page.getByRole('banner')];
  return Promise.all(parts.map((part) => part.evaluate((one) => getComputedStyle(one).backgroundColor)));
}
