/** Set-up for tests of the page that inspects a sandbox. */
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { createSandbox, type SandboxOptions } from '../../../src/sandbox/index.ts';
import { withPage } from '../../../src/sandbox/page/with-page.ts';
import { serve } from '../../../src/shared/server/serve.ts';
import { isNightly } from '../../support/amounts.ts';
import { launchChromium, missingChromium } from '../../support/chromium.ts';

if (missingChromium) console.warn(`The page of the sandbox is not tested in a browser: ${missingChromium}`);

export const startAt = Date.UTC(2026, 10, 4, 12);
export const place = { pipelineId: 1, stepId: 11 };

/** Ways to use a button or link. */
const ways = {
  click: (control: Locator) => control.click(),
  keyboard: async (control: Locator, page: Page) => {
    await control.focus();
    await page.keyboard.press('Enter');
  },
};

/** By day, one way, and all at night. */
export function waysOf(
  name: keyof typeof ways,
): [name: string, use: (control: Locator, page: Page) => Promise<void>][] {
  return isNightly ? Object.entries(ways) : [[name, ways[name]]];
}

export function record(records: Locator, key: number | string): Locator {
  return records.getByRole('article').filter({ has: records.page().getByRole('heading', { name: String(key) }) });
}

/** Runs Chromium for the tests of a file. Returns a function that opens the page. */
export function usePages() {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  return (options: SandboxOptions = {}, context: BrowserContextOptions = {}, address = '/', port = 0) =>
    open(browser, options, context, address, port);
}

/** Serves a sandbox and opens its page. */
async function open(
  browser: Browser,
  options: SandboxOptions,
  context: BrowserContextOptions,
  address: string,
  port: number,
) {
  const { control = true } = options;
  const sandbox = createSandbox({ startAt, control, ...options });
  sandbox.clock.freeze(startAt);
  const links = { rules: 'http://127.0.0.1:9/rules/', choices: 'http://127.0.0.1:9/choices/' };
  const server = await serve(withPage(sandbox, { control, links }), { port });
  onTestFinished(() => server.close());
  const opened = await browser.newContext(context);
  onTestFinished(() => opened.close());
  const page = await opened.newPage();
  page.setDefaultTimeout(10_000);
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => {
    // The browser logs every status above 400.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load')) errors.push(message.text());
  });
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) elsewhere.push(request.url());
  });
  await page.goto(server.url + address);
  const api = createClient({ baseUrl: server.url, auth: { apiKey: 'any' }, maxRetries: 0 });
  const parts = {
    requests: page.getByRole('list', { name: 'Requests, newest first' }),
    records: page.getByRole('tabpanel', { name: 'Records' }),
    clock: page.getByRole('tabpanel', { name: 'Clock' }),
    faults: page.getByRole('tabpanel', { name: 'Faults' }),
    scenarios: page.getByRole('tabpanel', { name: 'Scenario' }),
    snapshots: page.getByRole('tabpanel', { name: 'Snapshots' }),
    status: page.getByRole('status'),
  };
  /** Opens a tab of the page. */
  const show = (name: string) => page.getByRole('tab', { name }).click();
  return { sandbox, api, page, show, errors, elsewhere, server, ...parts };
}
