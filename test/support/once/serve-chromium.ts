import type { BrowserServer } from 'playwright-core';
import { chromiumArguments, executablePath } from '../../../scripts/check/runtimes/chromium.ts';

/** Starts Chromium for all tests. */
export async function serveChromium(): Promise<BrowserServer> {
  if (!executablePath) throw new Error('There is no Chromium');
  // It takes half a second to load, and most runs need no browser.
  const { chromium } = await import('playwright-core');
  return chromium.launchServer({ executablePath, args: chromiumArguments });
}
