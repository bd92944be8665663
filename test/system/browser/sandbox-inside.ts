/** Set-up for tests of the page that shows what a sandbox holds. */
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { createSandbox, type SandboxOptions } from '../../../src/sandbox/index.ts';
import { withPage } from '../../../src/sandbox/page/with-page.ts';
import { serve } from '../../../src/shared/server/serve.ts';
import { connectChromium, missingChromium } from '../../support/chromium.ts';

if (missingChromium) console.warn(`The page of the sandbox is not tested in a browser: ${missingChromium}`);

export const startAt = Date.UTC(2026, 10, 4, 12);
export const place = { pipelineId: 1, stepId: 11 };

/** How a reader uses a button or a link. */
export const ways: Record<string, (control: Locator, page: Page) => Promise<void>> = {
  click: (control) => control.click(),
  keyboard: async (control, page) => {
    await control.focus();
    await page.keyboard.press('Enter');
  },
};

export function record(records: Locator, key: number | string): Locator {
  return records.getByRole('article').filter({ has: records.page().getByRole('heading', { name: String(key) }) });
}

/** Connects to Chromium while the tests of a file run, and returns a function that opens the page. */
export function usePages() {
  let browser: Browser;
  beforeAll(async () => {
    browser = await connectChromium();
  });
  afterAll(() => browser?.close());
  return (options: SandboxOptions = {}, context: BrowserContextOptions = {}, address = '/') =>
    open(browser, options, context, address);
}

/** Serves a sandbox and opens its page. */
async function open(browser: Browser, options: SandboxOptions, context: BrowserContextOptions, address: string) {
  const { control = true } = options;
  const sandbox = createSandbox({ startAt, control, ...options });
  sandbox.clock.freeze(startAt);
  const docs = 'http://127.0.0.1:9/docs';
  const server = await serve(withPage(sandbox, { control, docs }), { port: 0 });
  onTestFinished(() => server.close());
  const opened = await browser.newContext(context);
  onTestFinished(() => opened.close());
  await opened.clock.install();
  const page = await opened.newPage();
  page.setDefaultTimeout(10_000);
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => {
    // The browser itself reports a status above 400.
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
    records: page.getByRole('region', { name: 'Records' }),
    clock: page.getByRole('region', { name: 'Clock' }),
    faults: page.getByRole('region', { name: 'Faults' }),
    snapshots: page.getByRole('region', { name: 'Snapshots' }),
    status: page.getByRole('status'),
  };
  const soon = <Result>(wait: PromiseLike<Result>) => withFastClock(page, wait);
  return { sandbox, api, page, soon, errors, elsewhere, server, ...parts };
}

/** Waits while the page's clock runs ahead: the page asks the sandbox again at once, instead of in a second. */
async function withFastClock<Result>(page: Page, wait: PromiseLike<Result>): Promise<Result> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  const ended = Promise.resolve(wait).finally(end);
  const advance = async () => {
    while (!isOver) await page.clock.runFor(1_000);
  };
  const [result] = await Promise.all([ended, advance()]);
  return result;
}
