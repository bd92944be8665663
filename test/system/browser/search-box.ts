import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The parts of the search that a reader meets. */
export function searchParts(page: Page): { dialog: Locator; field: Locator; options: Locator } {
  const dialog = page.getByRole('dialog', { name: 'Search' });
  return { dialog, field: dialog.getByRole('combobox'), options: dialog.getByRole('option') };
}

/** Expects Ctrl+K to find what the search of the first page finds, and the page to have no other search. */
export async function expectSearch(page: Page): Promise<void> {
  const { dialog, options } = searchParts(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('createDeal');
  await options.filter({ hasText: 'POST /crm/v1/deals · crm.deals.create' }).first().waitFor();
  expect(await options.first().textContent()).toContain('Create a deal');
  expect(await page.getByRole('dialog').filter({ visible: true }).count()).toBe(1);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  const buttons = page.getByRole('button', { name: /search/i }).filter({ visible: true });
  expect(await buttons.count()).toBe(1);
}
