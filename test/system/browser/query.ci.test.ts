import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { launchChromium, missingChromium } from '../../support/chromium.ts';
import { listen, type Received } from '../../support/server.ts';
import { bundleGuide, type DevProxy, html, readProxy, worker } from './query-app.ts';

if (missingChromium) console.warn(`The application of the guide on TanStack Query is not tested: ${missingChromium}`);

describe.skipIf(missingChromium)('the application of the guide on TanStack Query, with React in Chromium', () => {
  let script: string;
  let proxy: DevProxy;
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  beforeAll(async () => {
    [script, proxy, browser] = await Promise.all([bundleGuide("import 'app';"), readProxy(), launchChromium()]);
  });
  afterAll(() => browser?.close());

  /** The application with its own sandbox, behind `/api` of the same origin, as the guide's dev server forwards it. */
  async function openApp() {
    const sandbox = createSandbox();
    const api = createClient({ baseUrl: 'https://sandbox.example.com', auth: { apiKey: 'any' }, fetch: sandbox.fetch });
    /** Held paths, with the promise that releases each. */
    const held = new Map<string, Promise<void>>();
    const aborted: string[] = [];
    const respond = async ({ method, url, headers, body }: Received, response: ServerResponse): Promise<void> => {
      response.on('close', () => !response.writableFinished && aborted.push(url));
      await held.get(url);
      const init = {
        method,
        headers: { 'content-type': headers['content-type'] ?? '', ...proxy.headers },
        ...(body && { body }),
      };
      const result = await sandbox.fetch(`https://sandbox.example.com${proxy.rewrite(url)}`, init);
      response.writeHead(result.status, { 'content-type': 'application/json' }).end(await result.text());
    };
    const app = await listen((request, response) => {
      if (request.url.startsWith('/api/')) void respond(request, response);
      else if (request.url === '/app.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
      else response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    });
    const { page, errors } = await openPage();
    return { api, page, held, aborted, errors, received: app.received, open: () => page.goto(app.url) };
  }

  async function openPage(): Promise<{ page: Page; errors: string[] }> {
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    return { page, errors };
  }

  const step = (page: Page, name: string) => page.getByRole('region', { name });
  const renewal = 'Annual plan renewal';
  const movePath = '/api/crm/v1/deals/501/change-pipeline';

  /** Holds a path until the returned function is called. */
  function hold(held: Map<string, Promise<void>>, path: string): () => void {
    let goOn = (): void => undefined;
    held.set(path, new Promise((resolve) => (goOn = resolve)));
    onTestFinished(() => goOn());
    return () => {
      held.delete(path);
      goOn();
    };
  }

  test('a list pages in the body of a POST, and a deal shows its new step before the server responds', async () => {
    const { api, page, held, errors, received, open } = await openApp();
    for (let count = 0; count < 55; count += 1) {
      await api.crm.deals.create({ pipelineId: 1, stepId: 13, name: `Deal ${count}` });
    }
    await open();
    await page.getByRole('button', { name: 'More deals' }).click();
    await expect.poll(() => step(page, 'Contract').getByRole('combobox').count()).toBe(55);
    expect(await page.getByRole('button', { name: 'More deals' }).count()).toBe(0);
    const lists = received.filter(({ url }) => url.endsWith('/deals/get-list')).map(({ body }) => JSON.parse(body));
    expect(lists).toEqual([{ limit: 50 }, { limit: 50, offset: 50 }]);

    const goOn = hold(held, movePath);
    await step(page, 'New').getByLabel(renewal).selectOption('Offer sent');
    await step(page, 'Offer sent').getByLabel(renewal).waitFor();
    expect((await api.crm.deals.get({ dealId: 501 })).stepId).toBe(11);
    goOn();
    await expect.poll(async () => (await api.crm.deals.get({ dealId: 501 })).stepId).toBe(12);
    await expect.poll(() => received.filter(({ url }) => url.endsWith('/deals/get-list')).length).toBe(4);
    expect([await step(page, 'Offer sent').getByLabel(renewal).count(), errors]).toEqual([1, []]);
  });

  test("a rejected move is undone, with the service's message", async () => {
    const { api, page, held, errors, received, open } = await openApp();
    await open();
    await step(page, 'New').getByLabel(renewal).waitFor();
    await api.crm.pipelines.steps.delete({ pipelineId: 1, stepId: 13 });
    const goOn = hold(held, movePath);
    await step(page, 'New').getByLabel(renewal).selectOption('Contract');
    await step(page, 'Contract').getByLabel(renewal).waitFor();
    goOn();
    await step(page, 'New').getByLabel(renewal).waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('There is no step 13 in pipeline 1.');
    expect(received.filter(({ url }) => url === movePath)).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  test('a component that unmounts aborts its request without showing an error', async () => {
    const { page, held, aborted, errors, open } = await openApp();
    await open();
    await step(page, 'New').waitFor();
    const path = '/api/crm/v1/pipelines/2/steps';
    hold(held, path);
    const asked = page.waitForRequest((request) => request.url().endsWith(path));
    await page.getByLabel('Pipeline').selectOption('Onboarding');
    await asked;
    await page.getByLabel('Pipeline').selectOption('Renewals');
    await expect.poll(() => aborted).toEqual([path]);
    await step(page, 'New').getByLabel(renewal).waitFor();
    expect([await page.getByRole('alert').count(), errors]).toEqual([0, []]);
  });

  test('behind MSW, the sandbox in the page handles /api', async () => {
    const files = new Map([
      ['/', ['text/html', html]],
      ['/app.js', ['text/javascript', await bundleGuide("import 'sandbox'; import 'app';")]],
      ['/mockServiceWorker.js', ['text/javascript', await readFile(worker, 'utf8')]],
    ]);
    const { url, received } = await listen((request, response) => {
      const [type = 'text/plain', content] = files.get(request.url) ?? [];
      response.writeHead(content === undefined ? 404 : 200, { 'content-type': type }).end(content);
    });
    const { page, errors } = await openPage();
    await page.goto(url);
    await step(page, 'New').getByLabel(renewal).selectOption('Offer sent');
    await step(page, 'Offer sent').getByLabel(renewal).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(received.filter((request) => request.url.startsWith('/api'))).toEqual([]);
    expect(errors).toEqual([]);
  });
});
