import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { consoleLink } from '../../scripts/docs/try/console-link.ts';
import { barIds } from '../../scripts/docs/try/ids.ts';
import { tryData } from '../../scripts/docs/try-documents.ts';
import { tryPage } from '../../scripts/docs/try-page.ts';
import { specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec, type SpecOperation } from '../../scripts/spec/model.ts';
import { rules } from '../../src/sandbox/index.ts';
import { connectChromium, missingChromium } from '../support/chromium.ts';
import { once } from '../support/once/once.ts';
import { findFaults } from './axe.ts';
import { KeyboardReader, TryReader } from './try-reader.ts';
import { type Visit, type VisitOptions, visit } from './visit.ts';

if (missingChromium) console.warn(`The page "Try it" is not tested in a browser: ${missingChromium}`);

const specs = specNames.map((name) => loadSpec(name));
const operations = new Map(specs.flatMap(listOperations).map((one) => [one.operationId, one]));
const { api } = tryData(specs);
const desk = { viewport: { width: 1280, height: 720 } };
const phone = { viewport: { width: 390, height: 844 } };

function operation(id: string): SpecOperation {
  const found = operations.get(id);
  if (!found) throw new Error(`No spec has ${id}`);
  return found;
}

describe.skipIf(missingChromium)('the page "Try it" in Chromium, from disk', { timeout: 180_000 }, () => {
  let site: string;
  let browser: Browser;

  beforeAll(async () => {
    [{ folder: site }, browser] = await Promise.all([once('site'), connectChromium()]);
  });
  afterAll(() => browser?.close());

  async function open(options?: VisitOptions, link = tryPage.file): Promise<Visit> {
    const opened = await visit(browser, new URL(link, pathToFileURL(`${site}/`)).href, options);
    onTestFinished(() => opened.close());
    await opened.page.getByRole('heading', { level: 1 }).waitFor();
    return opened;
  }

  function expectOffline({ outside, errors }: Visit): void {
    expect({ outside, errors }).toEqual({ outside: [], errors: [] });
  }

  it.each([
    { by: 'click', Reader: TryReader },
    { by: 'the keyboard alone', Reader: KeyboardReader },
  ])('a deal that was created in the console is read back in the console, by $by', async ({ Reader }) => {
    const opened = await open();
    const reader = new Reader(opened.page);
    await reader.open(operation('createDeal'));
    await reader.send();
    const created = JSON.parse(await reader.readAnswer(200));
    await reader.expectStatus(/^200 POST/);
    await reader.close();

    await reader.open(operation('getDeal'));
    await reader.fillVariable(String(created.data.id));
    await reader.send();
    expect(JSON.parse(await reader.readAnswer(200)).data).toMatchObject(created.data);
    await reader.expectStatus(`/deals/${created.data.id}`);
    expectOffline(opened);
  });

  // The page takes longer to load than these tests take to run.
  describe('in one visit', () => {
    let opened: Visit;
    beforeAll(async () => {
      opened = await visit(browser, pathToFileURL(join(site, tryPage.file)).href);
      await opened.page.getByRole('heading', { level: 1 }).waitFor();
    });
    afterAll(() => opened?.close());

    it('a refused request shows the rule that refused it, in the answer and in the bar', async () => {
      const { page } = opened;
      const reader = new TryReader(page);
      await reader.open(operation('deletePipelineFailReason'));
      await reader.send();
      await reader.expectStatus(/^20\d DELETE/);
      await reader.send();
      await reader.readAnswer(404);
      expect(await reader.readHeaders()).toContain('fail-reason-unknown');
      await reader.expectStatus(/^404 DELETE.*rule fail-reason-unknown/);
      const link = page.getByRole('status').getByRole('link', { name: 'rule fail-reason-unknown' });
      expect(await link.getAttribute('href')).toBe('rules.html#fail-reason-unknown');

      const inside = await reader.seeInside();
      const newest = inside.getByRole('list', { name: 'Requests, newest first' }).getByRole('listitem').first();
      await newest.getByText('fail-reason-unknown').click();
      await newest.getByText(rules['fail-reason-unknown'].text).waitFor();
      const rule = newest.getByRole('link', { name: 'fail-reason-unknown' });
      expect(await rule.evaluate((link) => link instanceof HTMLAnchorElement && link.href)).toMatch(
        /\/site\/rules\.html#fail-reason-unknown$/,
      );
      await newest.press('Escape');
      await page.locator('iframe').waitFor({ state: 'detached' });
      await reader.close();
      expectOffline(opened);
    });

    it('an operation with a server of its own is sent to its own path, without a server of the document', async () => {
      const reader = new TryReader(opened.page);
      const token = operation('createToken');
      await reader.open(token);
      await reader.send();
      expect(JSON.parse(await reader.readAnswer(200))).toHaveProperty('access_token');
      await reader.expectStatus(`200 POST ${token.base}${token.path}`);
      await reader.close();
      expectOffline(opened);
    });

    it('a request to anything but the API is not sent, and the page says so', async () => {
      const { page } = opened;
      const sent = page.evaluate(() => fetch('https://elsewhere.example.com/users'));
      await expect(sent).rejects.toThrow('This page sends nothing to https://elsewhere.example.com');
      await new TryReader(page).expectStatus('Not sent');
      expectOffline(opened);
    });
  });

  it('a link opens the console with a request that is ready to send, once', async () => {
    const { page, ...opened } = await open({}, consoleLink('updateTag', { body: { name: 'From a link' } }));
    const reader = new TryReader(page);
    await reader.dialog.waitFor();
    await reader.send();
    expect(JSON.parse(await reader.readAnswer(200)).data).toMatchObject({ name: 'From a link' });
    expect(new URL(page.url()).search).toBe('');
    await page.reload();
    await page
      .getByRole('heading', { name: operation('updateTag').operation.summary, exact: true })
      .first()
      .waitFor();
    expect(await reader.dialog.isVisible()).toBe(false);
    expectOffline({ page, ...opened });
  });

  it('the page inside shows and changes the sandbox, and a reload keeps the data until Reset', async () => {
    const opened = await open();
    const { page } = opened;
    const reader = new TryReader(page);
    const read = () =>
      page.evaluate(
        (address) => fetch(address, { headers: { authorization: 'Bearer any' } }).then(({ status }) => status),
        `${api}/crm/v1/deals/501`,
      );
    expect(await read()).toBe(200);
    const inside = await reader.seeInside();
    const records = inside.getByRole('region', { name: 'Records' });
    await records.getByRole('link', { name: 'pipeline 1' }).first().click();
    await records.getByRole('heading', { name: /^1 / }).waitFor();
    expect(await records.getByLabel('Resource').inputValue()).toBe('crm.pipelines');
    const snapshots = inside.getByRole('region', { name: 'Snapshots' });
    await snapshots.getByLabel('Name').fill('mine');
    await snapshots.getByRole('button', { name: 'Take snapshot' }).click();
    await snapshots.getByText('mine').waitFor();
    await inside.getByRole('button', { name: '+1 day' }).click();
    await inside.getByRole('status').getByText('The clock is at').waitFor();
    const faults = inside.getByRole('region', { name: 'Faults' });
    await faults.getByRole('button', { name: 'Add fault' }).click();
    await faults.getByText('1: any operation, status 503').waitFor();
    expect([await read(), await read()]).toEqual([503, 200]);
    await page.evaluate(
      (address) => fetch(address, { method: 'DELETE', headers: { authorization: 'Bearer any' } }),
      `${api}/crm/v1/deals/501`,
    );

    await page.reload();
    await reader.expectStatus('A reload keeps the data');
    expect(await read()).toBe(404);
    await page.getByRole('button', { name: 'Reset' }).click();
    await reader.expectStatus('Reset. ');
    expect(await read()).toBe(200);
    expectOffline(opened);
  });

  it('Reset forgets what was created, and the clock goes forward from where it is', async () => {
    const opened = await open();
    const { page } = opened;
    // The minute must not end meanwhile.
    await page.clock.setFixedTime(Date.now());
    const reader = new TryReader(page);
    await reader.open(operation('createDeal'));
    await reader.send();
    const { data } = JSON.parse(await reader.readAnswer(200));
    await reader.close();

    const time = page.locator(`#${barIds.time}`);
    const before = await time.textContent();
    await page.getByRole('button', { name: '+1 day' }).click();
    await reader.expectStatus('The clock is at');
    expect(await time.textContent()).not.toBe(before);

    await page.getByRole('button', { name: 'Reset' }).click();
    await reader.expectStatus('Reset. ');
    expect(await time.textContent()).toBe(before);
    expect(await page.locator(`#${barIds.count}`).textContent()).toBe('0');
    await reader.open(operation('getDeal'));
    await reader.fillVariable(String(data.id));
    await reader.send();
    await reader.readAnswer(404);
    expectOffline(opened);
  });

  it('the three documents are in one page, which asks nothing of a network and breaks no policy in more than ten seconds', async () => {
    const opened = await open();
    const { page } = opened;
    const reader = new TryReader(page);
    const started = await page.evaluate(() => performance.now());
    let shown = specs[0]?.document.info.title ?? '';
    for (const spec of specs) {
      const { title } = spec.document.info;
      if (title !== shown) {
        await page.getByRole('button', { name: shown, exact: true }).click();
        await page.getByRole('option', { name: title }).click();
        await page.getByRole('heading', { level: 1, name: title }).waitFor();
        shown = title;
      }
      for (const { name } of spec.document.tags.slice(0, 4)) {
        await page.getByRole('complementary').getByRole('link', { name, exact: true }).click();
        await page.clock.fastForward(1_000);
      }
      const reading = listOperations(spec).find(
        ({ method, parameters }) => method === 'GET' && parameters.length === 0,
      );
      if (!reading) throw new Error(`${title} has nothing that is read without parameters`);
      await reader.open(reading);
      await reader.send();
      await reader.expectStatus(`200 GET ${reading.base}${reading.path}`);
      await reader.readAnswer(200);
      await reader.dialog.getByRole('link', { name: '200' }).press('Enter');
      await reader.close();
    }
    expect((await page.evaluate(() => performance.now())) - started).toBeGreaterThan(10_000);
    // Whatever was kept for later, such as a batch of telemetry, is due by then.
    await page.clock.runFor(30_000);
    await page.clock.fastForward('10:00');
    expect(page.context().pages()).toHaveLength(1);
    expectOffline(opened);
    const forbidden = await page.evaluate(() => {
      const observer = new ReportingObserver(() => {}, { types: ['csp-violation'], buffered: true });
      observer.observe();
      return observer.takeRecords().map(({ body }) => JSON.stringify(body));
    });
    expect(forbidden).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'with a request editor open, and without, axe finds no fault in the console, in %s',
    async (colorScheme) => {
      const { page } = await open({ ...desk, colorScheme, axe: true }, consoleLink('updateDeal'));
      const reader = new TryReader(page);
      await reader.send();
      await reader.readAnswer(200);
      expect(await findFaults(page)).toEqual([]);
      await reader.close();
      await page.getByRole('main').waitFor();
      expect(await findFaults(page)).toEqual([]);
    },
  );

  it('on a desk and on a phone it fits, and the bar and its panel have no fault that axe finds, in light and in dark', async () => {
    const backgrounds: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await open({ ...desk, colorScheme, axe: true });
      const reader = new TryReader(page);
      const status = await page.evaluate(async (address) => (await fetch(address)).status, `${api}/nothing-here`);
      expect(status).toBe(404);
      await reader.expectStatus('404 GET');
      const inside = await reader.seeInside();
      await inside.getByRole('article').first().waitFor();
      for (const { viewport } of [phone, desk]) {
        await page.setViewportSize(viewport);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
        expect(await findFaults(page, { include: ['.sandbox'] })).toEqual([]);
      }
      backgrounds.push(
        await page
          .locator('.scalar-app')
          .first()
          .evaluate((app) => getComputedStyle(app).backgroundColor),
      );
    }
    expect(backgrounds[0]).not.toBe(backgrounds[1]);
  });
});
