import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ScenarioName } from '../../../src/sandbox/index.ts';
import { scenarioNames } from '../../../src/sandbox/world/scenarios/scenarios.ts';
import { isNightly } from '../../support/amounts.ts';
import { launchChromium, missingChromium } from '../../support/chromium.ts';
import { listen } from '../../support/server.ts';

if (missingChromium) console.warn(`The sandbox is not tested in a browser: ${missingChromium}`);

describe.skipIf(missingChromium)('the sandbox behind MSW in Chromium', () => {
  const files = new Map<string, { type: string; content: string }>();
  let browser: Awaited<ReturnType<typeof launchChromium>>;

  beforeAll(async () => {
    const worker = fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js'));
    const page =
      '<!doctype html><title>App</title><link rel="icon" href="data:,"><script type="module" src="/app.js"></script>';
    files.set('/', { type: 'text/html', content: page });
    files.set('/app.js', { type: 'text/javascript', content: await bundle('sandbox-page.ts') });
    files.set('/mockServiceWorker.js', { type: 'text/javascript', content: await readFile(worker, 'utf8') });
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  /** Opens the app and returns its output, with every request that left the page. */
  async function openApp(
    query = '',
  ): Promise<{ seen: unknown; atApi: string[]; elsewhere: string[]; errors: string[] }> {
    const app = await listen(({ url }, response) => answerFile(files.get(url.replace(/\?.*/, '')), response));
    // A server that would respond. Only MSW keeps the requests from it.
    const api = await listen((_, response) => response.writeHead(500, { 'access-control-allow-origin': '*' }).end());
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const elsewhere: string[] = [];
    const errors: string[] = [];
    context.on('request', (request) => {
      const url = request.url();
      if (![app.url, api.url, 'data:'].some((start) => url.startsWith(start))) elsewhere.push(url);
    });
    const page = await context.newPage();
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`${app.url}/?api=${encodeURIComponent(api.url)}${query}`);
    const text = await page.locator('output').textContent({ timeout: 30_000 });
    return {
      seen: JSON.parse(text ?? ''),
      atApi: api.received.map(({ method, url }) => `${method} ${url}`),
      elsewhere,
      errors,
    };
  }

  test('an app creates a deal, reads it back and sees how a rule rejects it, while no request reaches the network', async () => {
    const { seen, ...left } = await openApp();
    const deal = { id: expect.any(Number), name: 'Annual plan renewal', price: 1200, pipelineId: 1, stepId: 11 };
    expect(seen).toMatchObject({
      created: deal,
      read: deal,
      rejection: {
        status: 422,
        rule: expect.stringMatching(/^deal-fail-needs-enabled-fail-reason; CRM document, sections 3 and 7/),
      },
      handled: expect.arrayContaining(['createDeal', 'getDeal', 'updateDeal']),
    });
    expect(left).toEqual({ atApi: [], elsewhere: [], errors: [] });
  });

  const usual = { list: { shown: 2, total: 2 }, unsubscribed: 'ok', outcomes: [] };
  const seen: Record<ScenarioName, object> = {
    empty: { ...usual, list: { shown: 0, total: 0 }, unsubscribed: '422' },
    large: { ...usual, list: { shown: expect.any(Number), total: 5_002 } },
    'quota-used-up': { ...usual, unsubscribed: '429' },
    slow: { ...usual, milliseconds: expect.toSatisfy((time) => time >= 1_000) },
    failing: {
      list: expect.anything(),
      unsubscribed: expect.any(String),
      outcomes: ['500', '503', 'ConnectionError', 'ok'],
    },
    'expired-key': { ...usual, list: '401', unsubscribed: '401' },
    unsubscribed: usual,
  };
  // The responses of `slow` take seconds.
  const begun = scenarioNames.filter((name) => isNightly || name !== 'slow');
  test.each(begun)('the scenario %s has its promised effect, and another one can follow', async (scenario) => {
    const { seen: found, ...left } = await openApp(`&scenario=${scenario}`);
    expect(found).toMatchObject({ active: scenario, after: 0, ...seen[scenario] });
    expect(left).toEqual({ atApi: [], elsewhere: [], errors: [] });
  });
});

async function bundle(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(name, import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  const [output] = outputFiles;
  if (!output) throw new Error(`esbuild gives no bundle of ${name}`);
  return output.text;
}

function answerFile(file: { type: string; content: string } | undefined, response: ServerResponse): void {
  if (!file) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': `${file.type}; charset=utf-8` }).end(file.content);
}
