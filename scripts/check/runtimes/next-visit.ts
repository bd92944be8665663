import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { chromium, type Page, type Route } from 'playwright-core';
import { createClient } from '../../../src/client/index.ts';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import { messageOf } from '../../../src/shared/message-of.ts';
import { chromiumArguments, executablePath } from './chromium.ts';

/** Timeout in milliseconds for the page to show something. Far longer than it takes, even while `next dev` compiles. */
const timeout = 30_000;

/** The app at `url`, which calls the sandbox. */
export interface Visit {
  url: string;
  sandbox: Sandbox;
}

/** Uses the app as a visitor does. Throws if the browser logs a warning or an error. */
export async function visit(app: Visit): Promise<void> {
  if (!executablePath)
    throw new Error('There is no Chromium: install it with `apt-get install chromium-headless-shell`');
  const browser = await chromium.launch({ executablePath, args: chromiumArguments });
  const complaints: string[] = [];
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(timeout);
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (['warning', 'error'].includes(message.type())) complaints.push(message.text());
    });
    await visitDeals(page, app);
    await visitContacts(page, app);
  } catch (error) {
    const reason = messageOf(error);
    throw new Error([reason, ...complaints].join('\n'), { cause: error });
  } finally {
    await browser.close();
  }
  // Chromium logs the 422 that the visit provokes.
  const rejection = 'Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)';
  assert.deepEqual(complaints, [rejection], 'the browser should complain of the rejected move alone');
}

async function visitDeals(page: Page, { url, sandbox }: Visit): Promise<void> {
  const deals = (await clientOf(sandbox).crm.deals.list({ limit: 50 })).data;
  const names = deals.map(({ name = '' }) => name);

  // The server has fetched the first page of the list.
  const html = await (await fetch(url, { signal: AbortSignal.timeout(timeout) })).text();
  assert.deepEqual(
    names.filter((name) => html.includes(`<label>${name}<`)),
    names.slice(0, 3),
    'the HTML should contain the first page of deals',
  );

  // The page shows the first list page without another request, and fetches the next ones.
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/')) calls.push(request.method());
  });
  await page.goto(url);
  await hydrated(page);
  assert.deepEqual(calls, [], 'the page should not fetch what the server has fetched');
  const shownNames = () =>
    page.locator('label').evaluateAll((labels) => labels.map((label) => label.firstChild?.textContent));
  await eventually(shownNames, names.slice(0, 3));
  const more = page.getByRole('button', { name: 'More deals' });
  await more.click();
  await eventually(shownNames, names.slice(0, 6));
  await more.click();
  await eventually(shownNames, names);
  assert.equal(await more.count(), 0, 'there should be no more deals');

  // The page shows the new step before the server responds, and keeps it.
  const [{ id: dealId, name = '' } = { id: 0 }] = deals;
  const select = page.getByRole('listitem').filter({ hasText: name }).getByRole('combobox');
  const shownStep = () => select.inputValue();
  const releaseMove = await hold(page, '**/change-pipeline');
  await select.selectOption('12');
  await eventually(shownStep, '12');
  const refetched = page.waitForResponse('**/deals/get-list');
  releaseMove();
  await refetched;
  await eventually(shownStep, '12');
  const { stepId } = await clientOf(sandbox).crm.deals.get({ dealId });
  assert.equal(stepId, 12, 'the service should have the deal in its new step');

  // After a rejected move, the page restores the old step before it fetches the list again.
  sandbox.faults.add({ operation: 'changeDealPipeline', status: 422, body: { message: 'This deal is locked.' } });
  const releaseRejected = await hold(page, '**/change-pipeline');
  await select.selectOption('13');
  await eventually(shownStep, '13');
  const releaseList = await hold(page, '**/deals/get-list');
  releaseRejected();
  await eventually(shownStep, '12');
  releaseList();
  await eventually(() => page.locator('main [role=alert]').allTextContents(), ['This deal is locked.']);
  await eventually(shownStep, '12');
}

async function visitContacts(page: Page, { url, sandbox }: Visit): Promise<void> {
  const contacts = (await clientOf(sandbox).crm.contacts.list({ limit: 50 })).data;
  const names = contacts.map(({ firstName, lastName }) => `${firstName} ${lastName}`);
  const shown = () => page.getByRole('listitem').allTextContents();
  await page.goto(`${url}/contacts`);
  await hydrated(page);
  await eventually(shown, names.slice(0, 5));
  const search = page.getByLabel('Search this page');
  await search.fill(names[0] ?? '');
  await eventually(shown, names.slice(0, 1));
  await search.fill('');
  await page.getByRole('link', { name: 'More contacts' }).click();
  await eventually(shown, names.slice(5, 10));
}

function clientOf({ fetch }: Sandbox) {
  return createClient({ baseUrl: 'https://sandbox.example.com', auth: { apiKey: 'any' }, fetch });
}

/** Waits until React has hydrated the server's HTML. Earlier clicks have no effect. */
async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactProps')),
  );
}

/** Holds requests to an address, including retries. Returns a function that releases them. */
async function hold(page: Page, address: string): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const sendLater = async (route: Route): Promise<void> => {
    await released;
    await route.continue();
  };
  await page.route(address, sendLater);
  return release;
}

/** Waits until the page shows the expected value. The error names the value shown instead. */
async function eventually<Shown>(read: () => Promise<Shown>, expected: Shown): Promise<void> {
  const deadline = performance.now() + timeout;
  for (;;) {
    const shown = await read();
    if (isDeepStrictEqual(shown, expected)) return;
    if (performance.now() > deadline) assert.deepEqual(shown, expected);
    await setTimeout(50);
  }
}
