import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barIds } from '../../../scripts/docs/try/ids.ts';
import { tryData } from '../../../scripts/docs/try-documents.ts';
import { tryPage } from '../../../scripts/docs/try-page.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import { rules } from '../../../src/sandbox/index.ts';
import { connectChromium, missingChromium } from '../../support/chromium.ts';
import { once } from '../../support/once/once.ts';
import { readsEveryPage } from './every-page.ts';
import { expectHeader } from './header.ts';
import { expectSearch } from './search-box.ts';
import { expectLooks } from './try-looks.ts';
import { KeyboardReader, operation, TryReader } from './try-reader.ts';
import { readViolations, type Visit, visit } from './visit.ts';

if (missingChromium) console.warn(`The page "Try it" is not tested in a browser: ${missingChromium}`);

const specs = specNames.map((name) => loadSpec(name));
const { api } = tryData(specs);

describe.skipIf(missingChromium)('the page "Try it" in Chromium, from disk', { timeout: 180_000 }, () => {
  let browser: Browser;
  /** One visit for all tests, in this order: the page takes longer to load than most of them to run. */
  let opened: Visit;

  beforeAll(async () => {
    const [{ folder: site }, connected] = await Promise.all([once('site'), connectChromium()]);
    browser = connected;
    opened = await visit(browser, pathToFileURL(join(site, tryPage.file)).href, { colorScheme: 'light' });
    await opened.page.getByRole('heading', { level: 1 }).waitFor();
  });
  afterAll(() => browser?.close());

  function expectOffline({ outside, errors }: Visit): void {
    expect({ outside, errors }).toEqual({ outside: [], errors: [] });
  }

  it.runIf(readsEveryPage)('in light it fits every width, and axe finds no fault', async () => {
    const reader = new TryReader(opened.page);
    await reader.open(operation('updateDeal'));
    await reader.fillVariable('501');
    await expectLooks(opened, api, 'light');
  });

  // The keyboard first: it passes all that the page has rendered by then.
  it.each([
    ...(readsEveryPage ? [{ by: 'the keyboard alone', Reader: KeyboardReader }] : []),
    { by: 'click', Reader: TryReader },
  ])('a deal that was created in the console is read back in the console, by $by', async ({ Reader }) => {
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
    await reader.close();
    expectOffline(opened);
  });

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

  it('the paths of the operations above are read without scrolling, which would need a mouse', async () => {
    const lists = opened.page.locator('.endpoints');
    const sizes = await lists.evaluateAll((all) =>
      all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    );
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.filter((more) => more > 0)).toEqual([]);
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

  it('Ctrl+K finds the same as on the first page, and there is no other search', async () => {
    await expectSearch(opened.page);
    expectOffline(opened);
  });

  it('Reset forgets what was created, and the clock goes forward from where it is', async () => {
    const { page } = opened;
    // The minute must not end meanwhile.
    await page.clock.setFixedTime(await page.evaluate(() => Date.now()));
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
    await reader.close();
    expectOffline(opened);
  });

  it.runIf(readsEveryPage)(
    'the three documents are in one page, which asks nothing of a network and breaks no policy in more than ten seconds',
    async () => {
      const { page } = opened;
      const reader = new TryReader(page);
      const started = await page.evaluate(() => performance.now());
      let shown = specs[0]?.document.info.title ?? '';
      // The first one is last, because it is shown at first.
      for (const spec of [...specs.slice(1), ...specs.slice(0, 1)]) {
        const { title } = spec.document.info;
        if (title !== shown) {
          await page.getByRole('button', { name: shown, exact: true }).click();
          await page.getByRole('option', { name: title }).click();
          await page.getByRole('heading', { level: 1, name: title }).waitFor();
          shown = title;
        }
        for (const { name } of spec.document.tags.slice(0, 2)) {
          await page.getByRole('complementary').getByRole('link', { name, exact: true }).click();
          await page.clock.fastForward(2_000);
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
      expect(await readViolations(page)).toEqual([]);
    },
  );

  it('the header leads on by click', async () => {
    await expectHeader(opened.page, tryPage.file, 'by click');
  });
});
