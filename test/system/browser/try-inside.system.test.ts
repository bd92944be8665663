import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPage } from '../../../scripts/docs/layout.ts';
import { consoleLink } from '../../../scripts/docs/try/console-link.ts';
import { tryData } from '../../../scripts/docs/try-documents.ts';
import { tryPage } from '../../../scripts/docs/try-page.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { loadSpec } from '../../../scripts/spec/model.ts';
import { connectChromium, missingChromium } from '../../support/chromium.ts';
import { once } from '../../support/once/once.ts';
import { readsEveryPage } from './every-page.ts';
import { chooseDark, expectDark, expectHeader, expectSwitch } from './header.ts';
import { expectLooks, readBackgrounds } from './try-looks.ts';
import { operation, TryReader } from './try-reader.ts';
import { type Visit, visit } from './visit.ts';

if (missingChromium) console.warn(`The panel of the page "Try it" is not tested in a browser: ${missingChromium}`);

const { api } = tryData(specNames.map((name) => loadSpec(name)));
const deal = `${api}/crm/v1/deals/501`;

describe.skipIf(missingChromium)('the page "Try it", opened by a link, in Chromium', { timeout: 180_000 }, () => {
  let browser: Browser;
  /** One visit for all tests, in this order: the page takes longer to load than they take to run. */
  let opened: Visit;
  let reader: TryReader;

  beforeAll(async () => {
    const [{ folder: site }, connected] = await Promise.all([once('site'), connectChromium()]);
    browser = connected;
    const addressOf = (link: string): string => new URL(link, pathToFileURL(`${site}/`)).href;
    // A reader who has chosen colours comes from the first page.
    opened = await visit(browser, addressOf(startPage.file), { colorScheme: 'light' });
    const { page } = opened;
    await chooseDark(page, page.url());
    await page.goto(addressOf(consoleLink('updateTag', { body: { name: 'From a link' } })));
    reader = new TryReader(page);
    await reader.dialog.waitFor();
  });
  afterAll(() => browser?.close());

  /** Sends a request for a deal from the page, and returns the status. */
  function send(method: 'GET' | 'DELETE'): Promise<number> {
    return opened.page.evaluate(
      ([address = '', method]) =>
        fetch(address, { method, headers: { authorization: 'Bearer any' } }).then(({ status }) => status),
      [deal, method],
    );
  }

  function expectOffline(): void {
    const { outside, errors } = opened;
    expect({ outside, errors }).toEqual({ outside: [], errors: [] });
  }

  it('the console has the request of the link, ready to send', async () => {
    await reader.send();
    expect(JSON.parse(await reader.readAnswer(200)).data).toMatchObject({ name: 'From a link' });
    expect(new URL(opened.page.url()).search).toBe('');
    expectOffline();
  });

  it.runIf(readsEveryPage)('in dark it fits every width, and axe finds no fault', async () => {
    await expectLooks(opened, api, 'dark');
  });

  it('the page has the colours that were chosen on another page, and its switch changes them at once', async () => {
    const { page } = opened;
    await expectDark(page);
    await expectSwitch(page);
    const dark = await readBackgrounds(page);
    await page.getByRole('button', { name: 'Use light colours' }).click();
    for (const [part, color] of dark.entries()) {
      await expect.poll(async () => (await readBackgrounds(page))[part], { timeout: 10_000 }).not.toBe(color);
    }
    await page.getByRole('button', { name: 'Use dark colours' }).click();
    expect(dark).toHaveLength(2);
  });

  it('the page inside shows and changes the sandbox', async () => {
    expect(await send('GET')).toBe(200);
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
    expect([await send('GET'), await send('GET')]).toEqual([503, 200]);
    expectOffline();
  });

  it('a reload keeps the data until Reset, and does not open the console again', async () => {
    const { page } = opened;
    expect(await send('DELETE')).toBe(204);
    await page.reload();
    await reader.expectStatus('A reload keeps the data');
    expect(await send('GET')).toBe(404);
    const { summary } = operation('updateTag').operation;
    await page.getByRole('heading', { name: summary, exact: true }).first().waitFor();
    expect(await reader.dialog.isVisible()).toBe(false);

    await page.getByRole('button', { name: 'Reset' }).click();
    await reader.expectStatus('Reset. ');
    expect(await send('GET')).toBe(200);
    expectOffline();
  });

  it('the header leads on by keyboard', async () => {
    await expectHeader(opened.page, tryPage.file, 'by keyboard');
  });
});
