import { accessSync, constants } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** Why the browser tests are skipped, and what to do about it; nothing where Chromium is installed. */
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

/** Chromium itself stays off the network too: no updates, no sync, no first-run pages. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
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
