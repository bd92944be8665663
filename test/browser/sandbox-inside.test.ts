import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { withPage } from '../../src/bin/page/page.ts';
import { createClient } from '../../src/index.ts';
import { createSandbox, rules, type SandboxOptions } from '../../src/sandbox/index.ts';
import { serve } from '../../src/server/serve.ts';
import { connectChromium, missingChromium } from '../support/chromium.ts';
import { axeScript, findFaults } from './axe.ts';

if (missingChromium) console.warn(`The page of the sandbox is not tested in a browser: ${missingChromium}`);

const startAt = Date.UTC(2026, 10, 4, 12);
const attack = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
const place = { pipelineId: 1, stepId: 11 };
const sizes = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];

/** How a reader uses a button or a link. */
const ways: Record<string, (control: Locator, page: Page) => Promise<void>> = {
  click: (control) => control.click(),
  keyboard: async (control, page) => {
    await control.focus();
    await page.keyboard.press('Enter');
  },
};

describe.skipIf(missingChromium)('the page of the sandbox in Chromium', { timeout: 60_000 }, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await connectChromium();
  });
  afterAll(() => browser?.close());

  /** Serves a sandbox and opens its page. */
  async function open(options: SandboxOptions = {}, context: BrowserContextOptions = {}, address = '/') {
    const { control = true } = options;
    const sandbox = createSandbox({ startAt, control, ...options });
    sandbox.clock.freeze(startAt);
    const docs = 'http://127.0.0.1:9/docs';
    const server = await serve(withPage(sandbox, { control, docs }), { port: 0 });
    onTestFinished(() => server.close());
    const opened = await browser.newContext(context);
    onTestFinished(() => opened.close());
    await opened.addInitScript({ path: axeScript });
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
    return { sandbox, api, page, errors, elsewhere, server, ...parts };
  }

  const record = (records: Locator, key: number | string) =>
    records.getByRole('article').filter({ has: records.page().getByRole('heading', { name: String(key) }) });

  it.each(Object.entries(ways))(
    'a deal that the API creates appears with its links, which lead to the linked records by %s',
    async (_, use) => {
      const { api, page, records, requests, errors, elsewhere } = await open();
      await record(records, 501).waitFor();
      const { id } = await api.crm.deals.create({ ...place, name: 'Spring order' });
      await api.crm.deals.contacts.add({ dealId: id, contactId: 3001 });
      const row = record(records, id);
      await row.getByRole('heading', { name: 'Spring order' }).waitFor();
      await row.getByRole('link', { name: 'contact 3001' }).waitFor();
      expect(await row.getByRole('link').allTextContents()).toEqual([
        String(id),
        'pipeline 1',
        'step 11',
        'contact 3001',
      ]);
      const entry = requests.getByRole('listitem').nth(1);
      expect(await entry.textContent()).toMatch(/^POST\/crm\/v1\/deals200[\d.]+ ms/);

      await use(row.getByRole('link', { name: 'contact 3001' }), page);
      await record(records, 3001).getByText('Ann Kowal').waitFor();
      expect(new URL(page.url()).hash).toBe('#crm.contacts/3001');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('3001');
      expect(await page.getByLabel('Resource').inputValue()).toBe('crm.contacts');
      await page.goBack();
      await row.waitFor();
      expect({ errors, elsewhere }).toEqual({ errors: [], elsewhere: [] });
    },
  );

  it.each(Object.entries(ways))(
    'a refused request shows its rule, linked to the reference, and its body when it is opened by %s',
    async (_, use) => {
      const { api, page, requests, errors } = await open();
      await expect(
        api.crm.pipelines.failReasons.update({ pipelineId: 1, reasonId: 9_999, isEnabled: false }),
      ).rejects.toThrow();
      const entry = requests.getByRole('listitem').first();
      await entry.getByText('rule fail-reason-unknown').waitFor();
      expect(await entry.textContent()).toMatch(/^PUT.*404[\d.]+ ms/);
      expect(await entry.locator('pre').count()).toBe(0);
      await use(entry.locator('summary'), page);
      await entry.locator('pre').waitFor();
      expect(JSON.parse((await entry.locator('pre').textContent()) ?? '')).toEqual({ isEnabled: false });
      expect(await entry.textContent()).toContain(rules['fail-reason-unknown'].text.trim());
      const link = entry.getByRole('link', { name: 'fail-reason-unknown' });
      expect(await link.getAttribute('href')).toBe('http://127.0.0.1:9/docs/rules.html#fail-reason-unknown');
      expect(errors).toEqual([]);
    },
  );

  it('a paused list shows nothing new until it goes on, and a cleared one is empty', async () => {
    const { api, page, requests, sandbox } = await open();
    const pause = page.getByRole('button', { name: 'Pause' });
    await pause.click();
    await api.crm.users.list();
    await page.getByLabel('Resource').selectOption('crm.users');
    await page.waitForResponse((response) => response.url().includes('/tables/crm.users'));
    // Two more turns of the page, which would show it.
    await page.waitForResponse((response) => response.url().endsWith('/__sandbox/clock'));
    expect(await requests.getByRole('listitem').count()).toBe(0);
    await pause.click();
    await requests.getByText('/crm/v1/users').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('No requests yet').waitFor();
    expect(sandbox.requests).toHaveLength(0);
  });

  it.each(Object.entries(ways))('the clock is advanced, set, resumed and frozen by %s', async (_, use) => {
    const { page, clock, sandbox } = await open();
    const time = clock.locator('time');
    await use(clock.getByRole('button', { name: '+1 day' }), page);
    await expect.poll(() => time.textContent()).toBe('2026-11-05 12:00:00');
    expect(sandbox.clock.now()).toBe(startAt + 86_400_000);
    await clock.getByLabel('New time').fill('2027-01-02T03:04:05');
    await use(clock.getByRole('button', { name: 'Set' }), page);
    await expect.poll(() => time.textContent()).toBe('2027-01-02 03:04:05');
    expect(sandbox.clock.now()).toBe(Date.UTC(2027, 0, 2, 3, 4, 5));
    await use(clock.getByRole('button', { name: 'Resume' }), page);
    await expect.poll(() => sandbox.clock.isFrozen).toBe(false);
    await use(clock.getByRole('button', { name: 'Freeze' }), page);
    await clock.getByText('frozen').waitFor();
    expect(sandbox.clock.isFrozen).toBe(true);
  });

  it.each(Object.entries(ways))('a fault is added, applied, used up and removed by %s', async (_, use) => {
    const { api, page, faults, requests, status } = await open();
    await faults.getByLabel('Operation').fill('getDeal');
    await faults.getByRole('spinbutton', { name: 'Status' }).fill('503');
    await faults.getByLabel('Times').fill('2');
    await use(faults.getByRole('button', { name: 'Add fault' }), page);
    await faults.getByText('1: getDeal, status 503, 2 ×').waitFor();
    await expect(api.crm.deals.get({ dealId: 501 })).rejects.toMatchObject({ status: 503 });
    await requests.getByText('fault 1').waitFor();
    await faults.getByText('1: getDeal, status 503, 1 ×').waitFor();
    await use(faults.getByRole('button', { name: 'Remove fault 1' }), page);
    await expect.poll(() => faults.getByRole('listitem').count()).toBe(0);
    expect((await api.crm.deals.get({ dealId: 501 })).id).toBe(501);

    await faults.getByLabel('Operation').fill('getDea');
    await use(faults.getByRole('button', { name: 'Add fault' }), page);
    await expect.poll(() => status.textContent()).toContain('no operation');
    expect(await status.getAttribute('class')).toBe('bad');
  });

  it.each(Object.entries(ways))(
    'a snapshot is taken, restored and deleted, and Reset keeps one, by %s',
    async (_, use) => {
      const { api, page, records, snapshots, sandbox } = await open();
      const press = (name: string) => use(page.getByRole('button', { name, exact: true }), page);
      await snapshots.getByLabel('Name').fill('before / import');
      await press('Take snapshot');
      await snapshots.getByText('before / import').waitFor();
      await api.crm.deals.delete({ dealId: 501 });
      await record(records, 501).waitFor({ state: 'detached' });
      await press('Restore before / import');
      await record(records, 501).waitFor();
      await press('Delete before / import');
      await expect.poll(() => snapshots.getByRole('listitem').count()).toBe(0);

      const { id } = await api.crm.deals.create({ ...place, name: 'Spring order' });
      await record(records, id).waitFor();
      await press('Reset');
      await record(records, id).waitFor({ state: 'detached' });
      expect(sandbox.state.crm.deals.size).toBe(1);
      await press('Restore before-reset');
      await record(records, id).waitFor();
    },
  );

  it('markup in a record, in a header, in a path and in a body is shown as text', async () => {
    const { page, records, requests, errors, server } = await open({ worlds: { header: 'x-world' } });
    await record(records, 501).waitFor();
    const headers = { authorization: 'Bearer any', 'x-world': attack };
    const body = JSON.stringify({ ...place, name: attack });
    const reply = await fetch(`${server.url}/crm/v1/deals?${encodeURIComponent(attack)}&x=<b>`, {
      method: 'POST',
      headers,
      body,
    });
    expect(reply.status).toBe(200);
    const world = page.getByLabel('World');
    await expect
      .poll(() => world.locator('option').allTextContents(), { timeout: 10_000 })
      .toEqual(['default', attack]);
    await world.selectOption(attack);
    await records.getByText(attack).first().waitFor();
    await records.getByText('Fields').first().click();
    const entry = requests.getByRole('listitem').first();
    await entry.locator('summary').click();
    expect(await entry.locator('pre').textContent()).toContain(JSON.stringify(attack));
    expect(await page.locator('main img, main script, main b').count()).toBe(0);
    expect([await page.title(), errors]).toEqual(['Carillon sandbox', []]);
  });

  it('each world has its own records, requests and reset', async () => {
    const { page, records, requests, sandbox } = await open({ worlds: { header: 'x-world' } });
    const other = sandbox.world('ben');
    await other.fetch('http://localhost/crm/v1/deals/501', {
      method: 'DELETE',
      headers: { authorization: 'Bearer any' },
    });
    await page.getByLabel('World').selectOption('ben');
    await requests.getByText('DELETE', { exact: true }).waitFor();
    await records.getByText('No records.').waitFor();
    await page.getByRole('button', { name: 'Reset' }).click();
    await record(records, 501).waitFor();
    expect(other.state.crm.deals.has(501)).toBe(true);
  });

  it('with a control token, the page asks for it, or takes it from the address and removes it there', async () => {
    const control = { token: 'open-sesame' };
    const { page, records, status } = await open({ control });
    const field = page.getByLabel('Token');
    await field.fill('wrong');
    await page.keyboard.press('Enter');
    await expect.poll(() => status.textContent()).toContain('Send the control token');
    expect(await page.getByRole('main').isVisible()).toBe(false);
    await field.fill('open-sesame');
    await page.keyboard.press('Enter');
    await record(records, 501).waitFor();

    const linked = await open({ control }, {}, '/#token=open-sesame');
    await record(linked.records, 501).waitFor();
    expect(linked.page.url()).not.toContain('sesame');
  });

  it('a sandbox that restarts is shown again', async () => {
    const first = await open();
    await first.api.crm.users.list();
    await first.requests.getByText('/crm/v1/users').waitFor();
    await first.server.close();
    await expect.poll(() => first.status.textContent(), { timeout: 10_000 }).toContain('does not answer');
    const sandbox = createSandbox({ control: true });
    const { port } = new URL(first.server.url);
    const again = await serve(withPage(sandbox, { control: true }), { port: Number(port) });
    onTestFinished(() => again.close());
    await createClient({ baseUrl: again.url, auth: { apiKey: 'any' } }).crm.pipelines.list();
    await first.requests.getByText('/crm/v1/pipelines').waitFor();
    expect(await first.requests.getByRole('listitem').count()).toBe(1);
  });

  it('Tab reaches every control in the order of the page', async () => {
    const { page, records } = await open();
    await record(records, 501).waitFor();
    const reached: string[] = [];
    for (let index = 0; index < 60 && reached.at(-1) !== 'Reset'; index += 1) {
      await page.keyboard.press('Tab');
      reached.push(
        await page.evaluate(() => document.activeElement?.textContent?.trim() || document.activeElement?.id || ''),
      );
    }
    const expected = [
      'Pause',
      'Clear',
      'pipeline 1',
      'Fields',
      '+1 day',
      'Resume',
      'Set',
      'fault-operation',
      'Add fault',
      'Take snapshot',
      'Reset',
    ];
    expect(reached.filter((name) => expected.includes(name))).toEqual(expected);
  });

  it.each(['light', 'dark'] as const)(
    'it fits a desk and a phone, and axe finds no fault, in %s',
    async (colorScheme) => {
      const { api, page, records, requests, faults, snapshots, errors } = await open({}, { colorScheme });
      await api.crm.deals.get({ dealId: 9_999 }).catch(() => undefined);
      await api.crm.deals.create({ ...place, name: `A very long name ${'x'.repeat(200)}` });
      await faults.getByRole('button', { name: 'Add fault' }).click();
      await snapshots.getByLabel('Name').fill('y'.repeat(90));
      await snapshots.getByRole('button', { name: 'Take snapshot' }).click();
      await snapshots.getByRole('listitem').first().waitFor();
      await records.getByText('Fields').first().click();
      await requests.locator('summary').first().click();
      await requests.locator('pre').first().waitFor();
      for (const size of sizes) {
        await page.setViewportSize(size);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);
        expect(await findFaults(page)).toEqual([]);
      }
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(background).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(28, 29, 34)');
      expect(errors).toEqual([]);
    },
  );
});
