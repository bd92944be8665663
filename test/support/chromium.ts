import { type Browser, chromium } from 'playwright-core';
import { executablePath } from '../../scripts/check/runtimes/chromium.ts';
import { once } from './once/once.ts';

/** Why the browser tests are skipped, and what to do about it; `undefined` if Chromium is installed. */
export const missingChromium = executablePath
  ? undefined
  : 'there is no Chromium: install it with `apt-get install chromium-headless-shell` to run the browser tests';

/** A connection to the one Chromium of the run. Closing it closes its own pages only. */
export async function connectChromium(): Promise<Browser> {
  const { endpoint } = await once('browser');
  return chromium.connect(endpoint);
}
