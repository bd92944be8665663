import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { methodsPage } from '../../scripts/docs/methods-page.ts';
import { methods } from '../../src/catalogue/index.ts';
import { connectChromium, missingChromium } from '../support/chromium.ts';
import { once } from '../support/once/once.ts';
import { visit } from './visit.ts';

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
    const all = methods.length;
    const left = methods.filter(({ effect }) => effect !== 'read' && effect !== 'write').length;
    expect([(await shown()).length, await count.textContent()]).toEqual([all, `${all} of ${all} methods`]);
    await page.getByLabel('Words').fill('NOTE deal');
    expect(await shown()).toEqual(['list', 'create', 'update', 'delete'].map((name) => `crm.deals.comments.${name}`));
    await page.getByLabel('read (').uncheck();
    await page.getByLabel('write (').uncheck();
    expect(await shown()).toEqual(['crm.deals.comments.delete']);
    await page.getByLabel('Words').fill('');
    expect(await count.textContent()).toBe(`${left} of ${all} methods`);
    await close();
  });
});
