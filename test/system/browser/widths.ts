import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** A phone, a tablet and a desk. */
export const widths = [390, 820, 1440];

/** Expects a page not to be wider than the window. */
export async function expectWidth(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: width === 390 ? 844 : 720 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth), `width ${width}`).toBe(width);
}
