import { type Browser, chromium } from 'playwright-core';
import { chromiumArguments, executablePath } from '../../scripts/check/runtimes/chromium.ts';

/** Why the browser tests are skipped, and how to run them. `undefined` if Chromium is installed. */
export const missingChromium = executablePath
  ? undefined
  : 'there is no Chromium: install it with `apt-get install chromium-headless-shell` to run the browser tests';

/**
 * Starts Chromium, for what only a browser has: layout, colours, focus, its policies, workers, and a reader's clicks and keys. The caller
 * closes it.
 */
export async function launchChromium(): Promise<Browser> {
  if (!executablePath) throw new Error(missingChromium);
  return chromium.launch({ executablePath, args: chromiumArguments });
}
