import { accessSync, constants } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { once } from './once/once.ts';
import { executablePath } from './once/serve-chromium.ts';

/** Why the browser tests are skipped, and what to do about it; `undefined` if Chromium is installed. */
export const missingChromium = isInstalled()
  ? undefined
  : `there is no ${executablePath}: install it with \`apt-get install chromium\` to run the browser tests`;

function isInstalled(): boolean {
  try {
    accessSync(executablePath, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A connection to the one Chromium of the run. Closing it closes its own pages only. */
export async function connectChromium(): Promise<Browser> {
  const { endpoint } = await once('browser');
  return chromium.connect(endpoint);
}
