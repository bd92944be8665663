import { type BrowserServer, chromium } from 'playwright-core';

export const executablePath = '/usr/bin/chromium';

/** Starts Chromium for all tests. It stays off the network too: no updates, no sync, no first-run pages. */
export function serveChromium(): Promise<BrowserServer> {
  return chromium.launchServer({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}
