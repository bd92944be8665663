import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { scenarioNames } from '../../../src/sandbox/scenario-names.ts';
import { launchChromium, missingChromium } from '../../support/chromium.ts';
import { listen } from '../../support/server.ts';
import { findFaults } from './axe.ts';
import { expectWidth } from './widths.ts';

if (missingChromium) console.warn(`The demo of scenarios is not tested in a browser: ${missingChromium}`);

/** The same as the site's. */
const policy =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Demo</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<style>:root { color-scheme: light dark; background: Canvas; font-family: sans-serif; }</style>
<script type="module" src="/index.js"></script></head>
<body><main><h1>Demo</h1><h2>See each one</h2><scenario-demo></scenario-demo></main></body></html>`;

async function bundle(): Promise<Map<string, string>> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../../docs/src/scenario-demo/index.ts', import.meta.url))],
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['carillon-source'],
    outdir: '/',
    write: false,
    logLevel: 'silent',
  });
  return new Map(outputFiles.map(({ path, text }) => [path, text]));
}

describe.skipIf(missingChromium)('the demo of scenarios in Chromium', { timeout: 60_000 }, () => {
  let browser: Browser;
  let files: Map<string, string>;
  beforeAll(async () => {
    [browser, files] = await Promise.all([launchChromium(), bundle()]);
  });
  afterAll(() => browser?.close());

  async function open(width = 1440) {
    const server = await listen(({ url }, response) => {
      const file = url === '/' ? html : files.get(url);
      if (file === undefined) return void response.writeHead(404).end();
      const type = url === '/' ? 'text/html' : 'text/javascript';
      response
        .writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy })
        .end(file);
    });
    const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width, height: 900 } });
    onTestFinished(() => context.close());
    const errors: string[] = [];
    const elsewhere: string[] = [];
    context.on('request', (request) => {
      if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) elsewhere.push(request.url());
    });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(server.url);
    const demo = page.locator('scenario-demo');
    const choose = (name: string) => demo.getByRole('button', { name, exact: true }).click();
    return {
      page,
      demo,
      app: demo.locator('.app'),
      message: demo.locator('.message'),
      choose,
      errors,
      elsewhere,
      server,
    };
  }

  it('loads client and sandbox only when a reader chooses a scenario', async () => {
    const { demo, server, choose, message, errors, elsewhere } = await open();
    await demo.getByText('Choose a scenario.').waitFor();
    const loaded = server.received.flatMap(({ url }) => files.get(url) ?? []).join('').length;
    expect(loaded).toBeGreaterThan(1_000);
    expect(loaded).toBeLessThan(20_000);
    await choose('none');
    await message.getByText('2 contacts').waitFor();
    await demo.getByRole('button', { name: 'Ask to resubscribe: Ben Ito' }).click();
    await demo.getByText('The request is sent.').waitFor();
    expect({ errors, elsewhere }).toEqual({ errors: [], elsewhere: [] });
  });

  /** The reader's steps and their expected results. */
  const promises: Record<(typeof scenarioNames)[number], (demo: Awaited<ReturnType<typeof open>>) => Promise<void>> = {
    async empty({ message }) {
      await message.getByText('No contacts yet.').waitFor();
    },
    async large({ message, demo }) {
      await message.getByText('20 of 5,002 contacts').waitFor();
      await message.getByRole('button', { name: 'Load more' }).click();
      await message.getByText('40 of 5,002 contacts').waitFor();
      expect(await demo.getByRole('list', { name: 'Contacts' }).getByRole('listitem').count()).toBe(40);
    },
    async 'quota-used-up'({ demo }) {
      const ask = demo.getByRole('button', { name: 'Ask to resubscribe: Ben Ito' });
      await ask.click();
      await demo.getByText('The quota is used up. Ask again in 24 hours.').waitFor();
      expect(await ask.isDisabled()).toBe(true);
    },
    async slow({ message, app }) {
      await message.getByText('Loading contacts …').waitFor();
      expect(await app.getAttribute('aria-busy')).toBe('true');
    },
    async failing({ message }) {
      await message.getByRole('button', { name: 'Try again' }).waitFor();
      expect(await message.textContent()).toMatch(
        /^The contacts could not be loaded\. (The service has a problem \(status 50\d\)|The connection was lost)\./,
      );
    },
    async 'expired-key'({ message }) {
      await message.getByText('Your key is no longer valid. Log in to continue.').waitFor();
    },
    async unsubscribed({ demo, message }) {
      await message.getByText('2 contacts').waitFor();
      expect(
        await demo
          .getByText('unsubscribed', { exact: true })
          .filter({ hasNot: demo.getByRole('button') })
          .count(),
      ).toBe(3);
      expect(await demo.getByText('bounced', { exact: true }).count()).toBe(1);
    },
  };

  describe.each([390, 1440])('%i pixels wide', (width) => {
    it.each(scenarioNames)('%s looks as expected', async (name) => {
      const opened = await open(width);
      await opened.choose(name);
      await promises[name](opened);
      await screenshot(opened.page, `demo-${name}-${width}`);
      expect(await findFaults(opened.page)).toEqual([]);
      await expectWidth(opened.page, width);
      expect({ errors: opened.errors, elsewhere: opened.elsewhere }).toEqual({ errors: [], elsewhere: [] });
    });
  });

  it('after failures, a retry loads the contacts', async () => {
    const { demo, message, choose } = await open();
    await choose('failing');
    const again = message.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    const rows = demo.getByRole('list', { name: 'Contacts' }).getByRole('listitem');
    for (let tries = 0; tries < 10 && (await rows.count()) === 0; tries += 1) {
      await again.click();
      await message
        .getByText(/Try again|contacts$/)
        .first()
        .waitFor();
    }
    expect(await rows.count()).toBe(2);
  });

  it('after an expired key, a login with credentials works', async () => {
    const { demo, message, choose } = await open();
    await choose('expired-key');
    await message.getByRole('button', { name: 'Log in' }).click();
    await message.getByText('2 contacts').waitFor();
    expect(await demo.getByText('Ann Kowal').count()).toBe(1);
  });

  it('another choice cancels running requests', async () => {
    const { demo, message, choose, errors } = await open();
    await choose('slow');
    await message.getByText('Loading contacts …').waitFor();
    await choose('empty');
    await message.getByText('No contacts yet.').waitFor();
    await choose('none');
    await message.getByText('2 contacts').waitFor();
    expect(await demo.getByText('Ann Kowal').count()).toBe(1);
    expect(errors).toEqual([]);
  });
});

async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
