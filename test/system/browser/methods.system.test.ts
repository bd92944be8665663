import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { methodsPage } from '../../../scripts/docs/methods-page.ts';
import { methods } from '../../../src/cli/catalogue/index.ts';
import { connectChromium, missingChromium } from '../../support/chromium.ts';
import { once } from '../../support/once/once.ts';
import { visit } from './visit.ts';

const total = methods.length;
const withEffect = (...effects: string[]): number => methods.filter(({ effect }) => effects.includes(effect)).length;

describe.skipIf(missingChromium)('the page of methods', { timeout: 60_000 }, () => {
  let site: string;
  let browser: Browser;
  beforeAll(async () => {
    [{ folder: site }, browser] = await Promise.all([once('site'), connectChromium()]);
  });
  afterAll(() => browser?.close());

  it('shows the methods that have all words and one of the chosen effects', async () => {
    const { page, close } = await visit(browser, pathToFileURL(join(site, methodsPage.file)).href);
    const shown = (): Promise<string[]> => page.locator('tbody tr:visible code').allTextContents();
    const count = page.locator('#filter output');
    expect([(await shown()).length, await count.textContent()]).toEqual([total, `${total} of ${total} methods`]);
    await page.getByLabel('Words').fill('NOTE deal');
    expect(await shown()).toEqual(['list', 'create', 'update', 'delete'].map((name) => `crm.deals.comments.${name}`));
    await page.getByLabel(`read (${withEffect('read')})`).uncheck();
    await page.getByLabel(`write (${withEffect('write')})`).uncheck();
    expect(await shown()).toEqual(['crm.deals.comments.delete']);
    await page.getByLabel('Words').fill('');
    expect(await count.textContent()).toBe(`${withEffect('delete', 'send')} of ${total} methods`);
    await close();
  });
});
