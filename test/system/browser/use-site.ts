/** The docs as `npm start` serves them, and Chromium, for the tests of a file. */
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { siteFolder } from '../../../scripts/docs/starlight/build-site.ts';
import { staticHandler } from '../../../scripts/serve/start/static-files.ts';
import { type RunningServer, serve } from '../../../src/shared/server/serve.ts';
import { launchChromium } from '../../support/chromium.ts';
import { type Visit, visit } from './visit.ts';

export interface Site {
  /** The URL of a path, with an optional fragment. */
  address(path: string): string;
  /** Opens a page for several tests. The caller closes it. */
  visit(path: string, options?: BrowserContextOptions): Promise<Visit>;
  /** Opens a page until the test ends. */
  open(path: string, options?: BrowserContextOptions): Promise<Visit>;
}

type Handler = (request: Request) => Promise<Response>;

/**
 * Starts a browser and serves the site before the tests, and stops both after them.
 *
 * @param through - wraps the handler that serves the site
 */
export function useSite(through: (site: Handler) => Handler = (site) => site): Site {
  let server: RunningServer;
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
    server = await serve({ fetch: through(staticHandler(siteFolder)) }, { port: 0 });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const site: Site = {
    address: (path) => new URL(path, server.url).href,
    visit: (path, options) => visit(browser, site.address(path), options),
    async open(path, options) {
      const opened = await site.visit(path, options);
      onTestFinished(() => opened.close());
      await opened.page.locator('h1:visible').first().waitFor();
      return opened;
    },
  };
  return site;
}
