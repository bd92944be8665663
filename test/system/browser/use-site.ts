/** The docs from disk and the one Chromium of a run, for the tests of a file. */
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { connectChromium } from '../../support/chromium.ts';
import { once } from '../../support/once/once.ts';
import { type Visit, visit } from './visit.ts';

export interface Site {
  /** The address of a page, or of a place on it. */
  address(link: string): string;
  /** Opens a page for several tests. The caller closes it. */
  visit(link: string, options?: BrowserContextOptions): Promise<Visit>;
  /** Opens a page until the test ends. */
  open(link: string, options?: BrowserContextOptions): Promise<Visit>;
}

/** Asks for both before the tests, and ends the connection after them. */
export function useSite(): Site {
  let folder: string;
  let browser: Browser;
  beforeAll(async () => {
    [{ folder }, browser] = await Promise.all([once('site'), connectChromium()]);
  });
  afterAll(() => browser?.close());

  const site: Site = {
    address: (link) => new URL(link, pathToFileURL(`${folder}/`)).href,
    visit: (link, options) => visit(browser, site.address(link), options),
    async open(link, options) {
      const opened = await site.visit(link, options);
      onTestFinished(() => opened.close());
      await opened.page.locator('h1:visible').first().waitFor();
      return opened;
    },
  };
  return site;
}
