import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { createSandbox, rules } from '../../../src/sandbox/index.ts';
import { withPage } from '../../../src/sandbox/page/with-page.ts';
import { serve } from '../../../src/shared/server/serve.ts';
import { missingChromium } from '../../support/chromium.ts';
import { place, record, usePages, ways } from './sandbox-inside.ts';

describe.skipIf(missingChromium)('the page of the sandbox in Chromium', { timeout: 60_000 }, () => {
  const open = usePages();

  it.each(Object.entries(ways))(
    'a deal that the API creates appears with its links, which lead to the linked records by %s',
    async (_, use) => {
      const { api, page, records, requests, errors, elsewhere, soon } = await open();
      await record(records, 501).waitFor();
      const { id } = await api.crm.deals.create({ ...place, name: 'Spring order' });
      await api.crm.deals.contacts.add({ dealId: id, contactId: 3001 });
      const row = record(records, id);
      await soon(row.getByRole('heading', { name: 'Spring order' }).waitFor());
      await soon(row.getByRole('link', { name: 'contact 3001' }).waitFor());
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
      const { api, page, requests, errors, soon } = await open();
      await expect(
        api.crm.pipelines.failReasons.update({ pipelineId: 1, reasonId: 9_999, isEnabled: false }),
      ).rejects.toThrow();
      const entry = requests.getByRole('listitem').first();
      await soon(entry.getByText('rule fail-reason-unknown').waitFor());
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
    const { api, page, requests, sandbox, soon } = await open();
    const pause = page.getByRole('button', { name: 'Pause' });
    await pause.click();
    await api.crm.users.list();
    const shown = page.waitForResponse((response) => response.url().includes('/tables/crm.users'));
    await page.getByLabel('Resource').selectOption('crm.users');
    await shown;
    // More turns of the page, which would show it: it asks for the clock in every fifth, and takes one a second.
    const asked = page.waitForResponse((response) => response.url().endsWith('/__sandbox/clock'));
    await page.clock.runFor(5_000);
    await asked;
    expect(await requests.getByRole('listitem').count()).toBe(0);
    await pause.click();
    await soon(requests.getByText('/crm/v1/users').waitFor());
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('No requests yet').waitFor();
    expect(sandbox.requests).toHaveLength(0);
  });

  it('each world has its own records, requests and reset', async () => {
    const { page, records, requests, sandbox, soon } = await open(
      { worlds: { header: 'x-world' }, control: { token: 'sesame' } },
      {},
      '/#token=sesame',
    );
    const other = sandbox.world('ben');
    await other.fetch('http://localhost/crm/v1/deals/501', {
      method: 'DELETE',
      headers: { authorization: 'Bearer any' },
    });
    await soon(page.getByLabel('World').selectOption('ben'));
    await requests.getByText('DELETE', { exact: true }).waitFor();
    await records.getByText('No records.').waitFor();
    await page.getByRole('button', { name: 'Reset' }).click();
    await record(records, 501).waitFor();
    expect(other.state.crm.deals.has(501)).toBe(true);
  });

  it('a sandbox that restarts is shown again', async () => {
    const first = await open();
    await first.api.crm.users.list();
    await first.soon(first.requests.getByText('/crm/v1/users').waitFor());
    await first.server.close();
    await first.soon(expect.poll(() => first.status.textContent(), { timeout: 10_000 }).toContain('does not answer'));
    const sandbox = createSandbox({ control: true });
    const { port } = new URL(first.server.url);
    const again = await serve(withPage(sandbox, { control: true }), { port: Number(port) });
    onTestFinished(() => again.close());
    await createClient({ baseUrl: again.url, auth: { apiKey: 'any' } }).crm.pipelines.list();
    await first.soon(first.requests.getByText('/crm/v1/pipelines').waitFor());
    expect(await first.requests.getByRole('listitem').count()).toBe(1);
  });
});
