import { describe, expect, it } from 'vitest';
import { isNightly } from '../../support/amounts.ts';
import { missingChromium } from '../../support/chromium.ts';
import { findFaults } from './axe.ts';
import { place, record, usePages } from './inspector.ts';
import { expectWidth, looks, widths } from './widths.ts';

const attack = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

describe.skipIf(missingChromium)('the page of the sandbox in Chromium', { timeout: 60_000 }, () => {
  const open = usePages();

  it('markup in records, headers, paths, bodies and faults is shown as text', async () => {
    const { page, show, records, requests, faults, errors, server, sandbox } = await open(
      { worlds: { header: 'x-world' }, control: { token: 'sesame' } },
      {},
      '/#token=sesame',
    );
    await page.getByText('No requests yet').waitFor();
    const headers = { authorization: 'Bearer any', 'x-world': attack };
    const body = JSON.stringify({ ...place, name: attack });
    const response = await fetch(`${server.url}/crm/v1/deals?${encodeURIComponent(attack)}&x=<b>`, {
      method: 'POST',
      headers,
      body,
    });
    expect(response.status).toBe(200);
    await page.getByRole('button', { name: 'Refresh' }).click();
    const world = page.getByLabel('World');
    await expect.poll(() => world.locator('option').allTextContents()).toEqual(['default', attack]);
    await world.selectOption(attack);
    const entry = requests.getByRole('listitem').first();
    await entry.locator('summary').first().click();
    await entry.locator('pre').first().waitFor();
    expect(await entry.locator('pre').first().textContent()).toContain(JSON.stringify(attack));
    await show('Records');
    await records.getByText(attack).first().waitFor();
    await records.getByText('Fields').first().click();
    sandbox.world(attack).faults.add({ status: 500, text: attack });
    await show('Faults');
    await faults.getByText(attack).waitFor();
    expect(await page.locator('main :is(img, script, b)').count()).toBe(0);
    expect([await page.title(), errors]).toEqual(['Carillon sandbox', []]);
  });

  it('with a control token, the page asks for it, or reads it from the address and removes it there', async () => {
    const control = { token: 'open-sesame' };
    const { page, show, records, requests, api } = await open({ control });
    const field = page.getByLabel('Token');
    await field.fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The token is not the control token').waitFor();
    expect(await page.getByRole('tablist').isVisible()).toBe(false);
    await field.fill('open-sesame');
    await page.keyboard.press('Enter');
    await show('Records');
    await record(records, 501).waitFor();
    // The page follows the sandbox from now on.
    await show('Requests');
    await api.crm.users.list();
    await requests.getByText('/crm/v1/users').waitFor();

    const linked = await open({ control }, {}, '/#token=open-sesame');
    await linked.show('Records');
    await record(linked.records, 501).waitFor();
    expect(linked.page.url()).not.toContain('sesame');
  });

  it('Tab reaches every control in the order of the page, and arrow keys choose a tab', async () => {
    const { page, show, faults } = await open();
    await show('Faults');
    await faults.getByText('No faults.').waitFor();
    const reached: string[] = [];
    for (let index = 0; index < 40 && reached.at(-1) !== 'Add fault'; index += 1) {
      await page.keyboard.press('Tab');
      reached.push(
        await page.evaluate(() => {
          const inner = document.activeElement?.shadowRoot?.activeElement;
          return inner?.closest('label')?.querySelector('span')?.textContent ?? inner?.textContent ?? '';
        }),
      );
    }
    const expected = [
      'Refresh',
      'Response lost',
      'Operation',
      'Status',
      'Delay (ms)',
      'Times',
      'Other properties, as JSON',
      'Add fault',
    ];
    expect(reached.filter((name) => expected.includes(name))).toEqual(expected);
    await page.getByRole('tab', { name: 'Faults' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Snapshots');
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Requests');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Faults');
    await page.keyboard.press('Home');
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Requests');
  });

  it.each(isNightly ? (['light', 'dark'] as const) : (['dark'] as const))(
    'it fits every width, without axe violations, in %s',
    async (colorScheme) => {
      const { api, page, show, records, requests, faults, snapshots, errors } = await open({}, { colorScheme });
      await api.crm.deals.get({ dealId: 9_999 }).catch(() => undefined);
      await api.crm.deals.create({ ...place, name: `A very long name ${'x'.repeat(200)}` });
      const expectLooks = async (): Promise<void> => {
        for (const width of widths) {
          await expectWidth(page, width);
          if (looks.includes(width)) expect(await findFaults(page)).toEqual([]);
        }
      };
      await requests.getByRole('listitem').nth(1).waitFor();
      for (const summary of await requests.locator('li > details > summary').all()) await summary.click();
      await requests.locator('pre').nth(2).waitFor();
      await expectLooks();
      await show('Records');
      await records.getByText('Fields').first().click();
      await expectLooks();
      await show('Clock');
      await expectLooks();
      await show('Faults');
      await faults.getByRole('button', { name: 'Add fault' }).click();
      await faults.getByText('1: any operation').waitFor();
      for (const part of await faults.locator('details > summary').all()) await part.click();
      await expectLooks();
      await show('Snapshots');
      await snapshots.getByLabel('Name').fill('y'.repeat(90));
      await snapshots.getByRole('button', { name: 'Take snapshot' }).click();
      await snapshots.getByRole('listitem').first().waitFor();
      await expectLooks();
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(background).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(23, 24, 28)');
      expect(errors).toEqual([]);
    },
  );
});
