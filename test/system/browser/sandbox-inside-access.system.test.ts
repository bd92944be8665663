import { describe, expect, it } from 'vitest';
import { missingChromium } from '../../support/chromium.ts';
import { findPageFaults } from './looks.ts';
import { place, record, usePages } from './sandbox-inside.ts';

const attack = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
const sizes = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];

describe.skipIf(missingChromium)('the page of the sandbox in Chromium', { timeout: 60_000 }, () => {
  const open = usePages();

  it('markup in a record, in a header, in a path and in a body is shown as text', async () => {
    const { page, records, requests, errors, server, soon } = await open(
      { worlds: { header: 'x-world' }, control: { token: 'sesame' } },
      {},
      '/#token=sesame',
    );
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
    const names = expect.poll(() => world.locator('option').allTextContents(), { timeout: 10_000 });
    await soon(names.toEqual(['default', attack]));
    await world.selectOption(attack);
    await records.getByText(attack).first().waitFor();
    await records.getByText('Fields').first().click();
    const entry = requests.getByRole('listitem').first();
    await entry.locator('summary').click();
    expect(await entry.locator('pre').textContent()).toContain(JSON.stringify(attack));
    expect(await page.locator('main img, main script, main b').count()).toBe(0);
    expect([await page.title(), errors]).toEqual(['Carillon sandbox', []]);
  });

  it('with a control token, the page asks for it, or takes it from the address and removes it there', async () => {
    const control = { token: 'open-sesame' };
    const { page, records, status, soon } = await open({ control });
    const field = page.getByLabel('Token');
    await field.fill('wrong');
    await page.keyboard.press('Enter');
    await expect.poll(() => status.textContent()).toContain('Send the control token');
    expect(await page.getByRole('main').isVisible()).toBe(false);
    // The page asks for the token again when it next asks the sandbox.
    await soon(field.fill('open-sesame'));
    await page.keyboard.press('Enter');
    await record(records, 501).waitFor();

    const linked = await open({ control }, {}, '/#token=open-sesame');
    await record(linked.records, 501).waitFor();
    expect(linked.page.url()).not.toContain('sesame');
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
      const { api, page, records, requests, faults, snapshots, errors, soon } = await open({}, { colorScheme });
      await api.crm.deals.get({ dealId: 9_999 }).catch(() => undefined);
      await api.crm.deals.create({ ...place, name: `A very long name ${'x'.repeat(200)}` });
      await faults.getByRole('button', { name: 'Add fault' }).click();
      await snapshots.getByLabel('Name').fill('y'.repeat(90));
      await snapshots.getByRole('button', { name: 'Take snapshot' }).click();
      await snapshots.getByRole('listitem').first().waitFor();
      await records.getByText('Fields').first().click();
      // The newer one has a body.
      await soon(requests.getByRole('listitem').nth(1).waitFor());
      await requests.locator('summary').first().click();
      await requests.locator('pre').first().waitFor();
      for (const size of sizes) {
        await page.setViewportSize(size);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);
        expect(await findPageFaults(page)).toEqual([]);
      }
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(background).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(28, 29, 34)');
      expect(errors).toEqual([]);
    },
  );
});
