import { describe, expect, it } from 'vitest';
import { missingChromium } from '../../support/chromium.ts';
import { place, record, startAt, usePages, ways } from './sandbox-inside.ts';

describe.skipIf(missingChromium)('the page of the sandbox in Chromium', { timeout: 60_000 }, () => {
  const open = usePages();

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
    const { api, page, faults, requests, status, soon } = await open();
    await faults.getByLabel('Operation').fill('getDeal');
    await faults.getByRole('spinbutton', { name: 'Status' }).fill('503');
    await faults.getByLabel('Times').fill('2');
    await use(faults.getByRole('button', { name: 'Add fault' }), page);
    await faults.getByText('1: getDeal, status 503, 2 ×').waitFor();
    await expect(api.crm.deals.get({ dealId: 501 })).rejects.toMatchObject({ status: 503 });
    await soon(requests.getByText('fault 1').waitFor());
    await soon(faults.getByText('1: getDeal, status 503, 1 ×').waitFor());
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
      const { api, page, records, snapshots, sandbox, soon } = await open();
      const press = (name: string) => use(page.getByRole('button', { name, exact: true }), page);
      await snapshots.getByLabel('Name').fill('before / import');
      await press('Take snapshot');
      await snapshots.getByText('before / import').waitFor();
      await api.crm.deals.delete({ dealId: 501 });
      await soon(record(records, 501).waitFor({ state: 'detached' }));
      await press('Restore before / import');
      await record(records, 501).waitFor();
      await press('Delete before / import');
      await expect.poll(() => snapshots.getByRole('listitem').count()).toBe(0);

      const { id } = await api.crm.deals.create({ ...place, name: 'Spring order' });
      await soon(record(records, id).waitFor());
      await press('Reset');
      await record(records, id).waitFor({ state: 'detached' });
      expect(sandbox.state.crm.deals.size).toBe(1);
      await press('Restore before-reset');
      await record(records, id).waitFor();
    },
  );
});
