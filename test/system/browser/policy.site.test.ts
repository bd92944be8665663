import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { siteFolder } from '../../../scripts/docs/starlight/build-site.ts';
import { staticHandler } from '../../../scripts/serve/start/static-files.ts';
import { type RunningServer, serve } from '../../../src/shared/server/serve.ts';
import { launchChromium, missingChromium } from '../../support/chromium.ts';

if (missingChromium) console.warn(`The policy of the docs is not tested in a browser: ${missingChromium}`);

/** A worker that the page starts from the site. It imports a module like a reader's program. */
const worker = `const { answer } = await import(URL.createObjectURL(new Blob(['export const answer = 42;'], { type: 'text/javascript' })));
postMessage(answer);`;

describe.skipIf(missingChromium)('a page of the docs under its policy', { timeout: 120_000 }, () => {
  let browser: Browser;
  let server: RunningServer;
  let page: Page;
  let violations: string[];

  beforeAll(async () => {
    browser = await launchChromium();
    const site = staticHandler(siteFolder);
    server = await serve(
      {
        fetch: (request) =>
          new URL(request.url).pathname === '/worker.js'
            ? new Response(worker, { headers: { 'content-type': 'text/javascript' } })
            : site(request),
      },
      { port: 0 },
    );
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  beforeEach(async ({ onTestFinished }) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    onTestFinished(() => context.close());
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    violations = [];
    page.on('console', (message) => {
      if (message.type() === 'error') violations.push(message.text());
    });
    page.on('pageerror', (error) => violations.push(error.message));
  });

  // The tests of the pages and of the search open all others, and find no errors.
  it('opens the page for unknown addresses without a violation', async () => {
    await page.goto(`${server.url}/404.html`);
    await page.locator('h1').first().waitFor();
    expect(violations).toEqual([]);
    // Without a policy, the test would show nothing.
    expect(await page.locator('meta[http-equiv="content-security-policy"]').count()).toBe(1);
  });

  it('changes its theme, and keeps it on the next page', async () => {
    await page.goto(`${server.url}/guides/errors/`);
    const theme = (): Promise<string | undefined> => page.evaluate(() => document.documentElement.dataset.theme);
    for (const chosen of ['dark', 'light']) {
      await page.locator('starlight-theme-select select').first().selectOption(chosen);
      expect(await theme()).toBe(chosen);
    }
    await page.goto(`${server.url}/crm/deals/update/`);
    expect(await theme()).toBe('light');
    expect(violations).toEqual([]);
  });

  it('runs a sample: client and sandbox in a worker, the program as a separate module; and a module worker', async () => {
    await page.goto(`${server.url}/crm/deals/update/`);
    const sample = page.locator('run-sample').first();
    await sample.getByRole('button', { name: 'Run' }).click();
    await sample.getByText(/^Finished/).waitFor();
    // A module worker of the site, which imports a program.
    const answer = await page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const worker = new Worker('/worker.js', { type: 'module' });
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
        }),
    );
    expect(answer).toBe(42);
    expect(violations).toEqual([]);
  });

  it('runs no script that the build has not written, and contacts no other host', async () => {
    await page.goto(`${server.url}/crm/deals/update/`);
    const ran = await page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.injected = true';
      document.body.append(script);
      const asked = await fetch('http://127.0.0.2:9/').then(
        () => true,
        () => false,
      );
      return [Reflect.get(globalThis, 'injected') ?? false, asked];
    });
    expect(ran).toEqual([false, false]);
    expect(violations.filter((text) => text.includes('Content Security Policy'))).not.toHaveLength(0);
  });
});
