import { describe, expect, it } from 'vitest';
import { scenarioNames } from '../../../src/sandbox/world/scenarios/scenarios.ts';
import { isNightly } from '../../support/amounts.ts';
import { missingChromium } from '../../support/chromium.ts';
import { usePages, waysOf } from './inspector.ts';

describe.skipIf(missingChromium)('scenarios on the page of the sandbox in Chromium', { timeout: 60_000 }, () => {
  const open = usePages();

  it.each(waysOf('click'))('one is chosen, restarted and left by %s', async (_, use) => {
    const { api, page, show, sandbox, scenarios, errors } = await open();
    await show('Scenario');
    const row = (name: string) =>
      scenarios.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
    for (const name of scenarioNames)
      await row(name)
        .getByRole('button', { name: `Start: ${name}` })
        .waitFor();
    await row('No scenario').getByText('active', { exact: true }).waitFor();

    await use(scenarios.getByRole('button', { name: 'Start: empty' }), page);
    await row('empty').getByText('active', { exact: true }).waitFor();
    expect(await row('No scenario').getByText('active', { exact: true }).count()).toBe(0);
    expect(sandbox.state.crm.contacts.size).toBe(0);
    expect(await page.getByRole('tab', { name: 'Scenario' }).textContent()).toBe('Scenario empty');
    await api.crm.tags.create({ name: 'VIP' });
    expect(sandbox.state.crm.tags.size).toBe(1);
    await use(scenarios.getByRole('button', { name: 'Start again: empty' }), page);
    await expect.poll(() => sandbox.state.crm.tags.size).toBe(0);
    await use(scenarios.getByRole('button', { name: 'Start: No scenario' }), page);
    await row('No scenario').getByText('active', { exact: true }).waitFor();
    expect([sandbox.scenario, sandbox.state.crm.contacts.size]).toEqual([undefined, 2]);
    expect(errors).toEqual([]);
  });

  it('the own one of the sandbox is listed, and shown as JSON', async () => {
    const mine = { name: 'mine', description: 'My own.', seed: 1 };
    const { page, show, sandbox, scenarios } = await open({ scenario: mine });
    await show('Scenario');
    await scenarios.getByText('The active scenario as JSON').click();
    expect(JSON.parse((await scenarios.locator('pre').textContent()) ?? '')).toEqual(mine);
    await scenarios.getByRole('button', { name: 'Start: slow' }).click();
    await page.getByRole('tab', { name: 'Scenario slow' }).waitFor();
    await scenarios.getByRole('button', { name: 'Start: mine' }).click();
    await page.getByRole('tab', { name: 'Scenario mine' }).waitFor();
    expect(sandbox.state.crm.contacts.size).toBe(3);
  });

  it.each(isNightly ? [390, 1440] : [390])('the panel fits a screen of %i pixels', async (width) => {
    const { page, show, scenarios } = await open({ scenario: 'quota-used-up' }, { viewport: { width, height: 900 } });
    await show('Scenario');
    await scenarios.getByRole('button', { name: 'Start again: quota-used-up' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
});
