import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Fault, findFaults } from './axe.ts';
import { findColorFaults, findPageFaults } from './looks.ts';
import { TryReader } from './try-reader.ts';
import type { Visit } from './visit.ts';
import { expectWidth, widths } from './widths.ts';

/**
 * Expects axe to find no fault in the page "Try it": with the request editor, which is open at first, without it, and in
 * the panel of the sandbox. Expects it to fit every width.
 *
 * @param scheme - in dark, only the colours of the page differ
 */
export async function expectLooks(
  { page, outside, errors }: Visit,
  api: string,
  scheme: 'light' | 'dark',
): Promise<void> {
  const find = (): Promise<Fault[]> => (scheme === 'light' ? findPageFaults(page) : findColorFaults(page, 'usual'));
  const reader = new TryReader(page);
  await reader.send();
  await reader.readAnswer(200);
  expect(await find()).toEqual([]);
  await reader.close();
  await page.getByRole('main').waitFor();
  expect(await find()).toEqual([]);
  for (const width of widths) await expectWidth(page, width);

  const status = await page.evaluate(async (address) => (await fetch(address)).status, `${api}/nothing-here`);
  expect(status).toBe(404);
  await reader.expectStatus('404 GET');
  const inside = await reader.seeInside();
  await inside.getByRole('article').first().waitFor();
  for (const width of [390, 1280]) {
    await expectWidth(page, width);
    expect(await findFaults(page, { part: { include: ['.sandbox'] } })).toEqual([]);
    // On pages from disk, axe does not reach the frame from outside.
    const frame = page.frames().find((one) => one.parentFrame() !== null);
    expect(frame && (await findFaults(frame))).toEqual([]);
  }
  await page.keyboard.press('Escape');
  await page.locator('iframe').waitFor({ state: 'detached' });
  // Chromium reports the messages that axe sends to the panel's frame, on pages from disk.
  const others = errors.filter((error) => !error.includes("'postMessage'"));
  expect({ outside, others }).toEqual({ outside: [], others: [] });
  errors.length = 0;
}

/** The colours of the console and of the header. */
export function readBackgrounds(page: Page): Promise<string[]> {
  const parts = [page.locator('.scalar-app').first(), page.getByRole('banner')];
  return Promise.all(parts.map((part) => part.evaluate((one) => getComputedStyle(one).backgroundColor)));
}
