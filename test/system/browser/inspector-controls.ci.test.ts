import type { Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { isNightly } from '../../support/amounts.ts';
import { missingChromium } from '../../support/chromium.ts';
import { place, record, startAt, usePages, waysOf } from './inspector.ts';

describe.skipIf(missingChromium)('the page of the sandbox in Chromium', { timeout: 60_000 }, () => {
  const open = usePages();

  it.each(waysOf('keyboard'))('the clock is advanced, set, resumed and frozen by %s', async (_, use) => {
    const { page, show, clock, sandbox } = await open();
    await show('Clock');
    const time = clock.locator('time');
    await use(clock.getByRole('button', { name: '+1 day' }), page);
    await expect.poll(() => time.textContent()).toBe('2026-11-05 12:00:00');
    expect(sandbox.clock.now()).toBe(startAt + 86_400_000);
    await clock.getByLabel('New time').fill('2027-01-02T03:04:05');
    await use(clock.getByRole('button', { name: 'Set' }), page);
    await expect.poll(() => time.textContent()).toBe('2027-01-02 03:04:05');
    expect(sandbox.clock.now()).toBe(Date.UTC(2027, 0, 2, 3, 4, 5));
    await use(clock.getByRole('button', { name: 'Resume' }), page);
    await clock.getByText('running', { exact: true }).waitFor();
    expect(sandbox.clock.isFrozen).toBe(false);
    await use(clock.getByRole('button', { name: 'Freeze' }), page);
    await clock.getByText('frozen', { exact: true }).waitFor();
    expect(sandbox.clock.isFrozen).toBe(true);
  });

  it.each([
    ['Clock', 'clock', 'POST', 'clock/advance', { milliseconds: 86_400_000 }, '2026-11-05 12:00:00'],
    ['Faults', 'faults', 'POST', 'faults', { operation: 'getDeal', status: 503 }, '1: getDeal, status 503, 1 ×'],
    ['Scenario', 'scenario', 'POST', 'scenario', { scenario: 'failing' }, 'The active scenario as JSON'],
    ['Snapshots', 'snapshots', 'PUT', 'snapshots/spring', undefined, 'spring'],
  ] as const)(
    '%s: a response that is late does not replace newer data',
    async (tab, read, method, path, body, text) => {
      const { page, show, server } = await open();
      await show(tab);
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      let held: Request | undefined;
      await page.route(
        `**/__sandbox/${read}`,
        async (route) => {
          const response = await route.fetch();
          held = route.request();
          await released;
          await route.fulfill({ response });
        },
        { times: 1 },
      );
      const refresh = () => page.evaluate(() => window.dispatchEvent(new Event('focus')));
      await refresh();
      await expect.poll(() => held).toBeDefined();
      await fetch(`${server.url}/__sandbox/${path}`, { method, ...(body && { body: JSON.stringify(body) }) });
      await refresh();
      const shown = page.getByRole('tabpanel').getByText(text, { exact: true });
      await shown.waitFor();
      const arrived = page.waitForEvent('requestfinished', (request) => request === held);
      release();
      await arrived;
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
      expect(await shown.isVisible()).toBe(true);
    },
  );

  it.each(waysOf('click'))('a fault is added, applied, used up and removed by %s', async (_, use) => {
    const { api, page, show, faults, requests, status } = await open();
    await show('Faults');
    await faults.getByLabel('Operation').fill('getDeal');
    await faults.getByLabel('Status', { exact: true }).fill('503');
    await faults.getByLabel('Times').fill('2');
    await use(faults.getByRole('button', { name: 'Add fault' }), page);
    await faults.getByText('1: getDeal, status 503, 2 ×').waitFor();
    await expect(api.crm.deals.get({ dealId: 501 })).rejects.toMatchObject({ status: 503 });
    await faults.getByText('1: getDeal, status 503, 1 ×').waitFor();
    await use(faults.getByRole('button', { name: 'Remove fault 1' }), page);
    await expect.poll(() => faults.getByRole('list', { name: 'Faults' }).getByRole('listitem').count()).toBe(0);
    expect((await api.crm.deals.get({ dealId: 501 })).id).toBe(501);

    await faults.getByLabel('Operation').fill('getDea');
    await use(faults.getByRole('button', { name: 'Add fault' }), page);
    await expect.poll(() => status.textContent()).toContain('Did you mean getDeal');
    expect(await status.getAttribute('class')).toContain('bad');
    await show('Requests');
    await requests.getByText('fault 1').waitFor();
  });

  it('common properties have fields, and every other one is JSON', async () => {
    const { show, faults, sandbox } = await open();
    await show('Faults');
    const others = {
      match: { method: 'put', path: '/crm/v1/deals/*' },
      headers: { 'Retry-After': '7' },
      body: { message: 'Later' },
      delayAt: 'before',
      nth: 3,
      probability: 0.25,
      randomSeed: 7,
    } as const;
    await faults.getByLabel('Operation').fill('updateDeal');
    await faults.getByLabel('Status', { exact: true }).fill('429');
    await faults.getByLabel('Delay (ms)').fill('40');
    await faults.getByLabel('Times').fill('');
    await faults.getByLabel('Other properties').fill(JSON.stringify(others));
    await faults.getByRole('button', { name: 'Add fault' }).click();
    await faults.getByText(/^1: updateDeal/).waitFor();
    expect(sandbox.faults.list()).toMatchObject([
      { operation: 'updateDeal', status: 429, delay: 40, times: 'always', ...others },
    ]);
  });

  it('the list below the form describes the properties', async () => {
    const { show, faults } = await open();
    await show('Faults');
    await faults.getByText('All properties of a fault').click();
    for (const name of ['drop', 'slowBody', 'text', 'match'])
      await faults.locator('dt').getByText(name, { exact: true }).waitFor();
  });

  it('faults take effect: a lost response, a delay, a slow body, a truncated response', async () => {
    const { api, show, faults, sandbox } = await open();
    await show('Faults');
    const add = async (example: string) => {
      const before = sandbox.faults.list().length;
      await faults.getByRole('button', { name: example }).click();
      await faults.getByLabel('Operation').fill('getDeal');
      await faults.getByRole('button', { name: 'Add fault' }).click();
      await expect.poll(() => sandbox.faults.list().length).toBe(before + 1);
    };
    const get = () => api.crm.deals.get({ dealId: 501 });
    for (const example of ['Response lost', 'Response cut off']) {
      await add(example);
      await expect(get()).rejects.toThrow();
    }
    await add('HTML from a gateway');
    await expect(get()).rejects.toMatchObject({ status: 502 });
    // By day, one that waits.
    for (const example of isNightly ? ['Slow response', 'Slow body'] : ['Slow body']) {
      await add(example);
      const begun = performance.now();
      expect((await get()).id).toBe(501);
      expect(performance.now() - begun).toBeGreaterThan(2_000);
    }
    expect(sandbox.faults.list()).toEqual([]);
  });

  it('JSON that is no fault is rejected with the reason, and kept', async () => {
    const { show, faults, status, sandbox } = await open();
    await show('Faults');
    const field = faults.getByLabel('Other properties');
    for (const [text, message] of [
      ['{', 'The other properties must be JSON.'],
      ['[503]', 'The other properties must be a JSON object'],
      ['{ "status": 500 }', 'Both the JSON and a form field set “status”.'],
      ['{ "colour": "red" }', 'colour'],
    ] as const) {
      await field.fill(text);
      await faults.getByRole('button', { name: 'Add fault' }).click();
      await status.getByText(message).waitFor();
      expect(await field.inputValue()).toBe(text);
      expect(sandbox.faults.list()).toEqual([]);
    }
  });

  it.each(waysOf('keyboard'))(
    'a snapshot is taken, restored and deleted, and Reset keeps one, by %s',
    async (_, use) => {
      const { api, page, show, records, snapshots, sandbox } = await open();
      const press = (name: string) => use(page.getByRole('button', { name, exact: true }), page);
      await show('Snapshots');
      await snapshots.getByLabel('Name').fill('before / import');
      await press('Take snapshot');
      await snapshots.getByText('before / import', { exact: true }).waitFor();
      await api.crm.deals.delete({ dealId: 501 });
      expect(sandbox.state.crm.deals.size).toBe(0);
      await press('Restore before / import');
      await expect.poll(() => sandbox.state.crm.deals.size).toBe(1);
      await press('Delete before / import');
      await expect.poll(() => snapshots.getByRole('listitem').count()).toBe(0);

      const { id } = await api.crm.deals.create({ ...place, name: 'Spring order' });
      await press('Reset');
      await snapshots.getByText('before-reset', { exact: true }).waitFor();
      expect(sandbox.state.crm.deals.size).toBe(1);
      await press('Restore before-reset');
      await show('Records');
      await record(records, id).waitFor();
    },
  );
});
