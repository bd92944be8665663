import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { isNightly } from '../../support/amounts.ts';

/** Widths of a phone, a tablet and a desktop. */
export const widths = [390, 820, 1440];

/** Widths at which axe looks at a page. By day, one. */
export const looks = isNightly ? widths : [390];

/** Expects a page to fit the window's width. */
export async function expectWidth(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: width === 390 ? 844 : 720 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth), `width ${width}`).toBe(width);
}
