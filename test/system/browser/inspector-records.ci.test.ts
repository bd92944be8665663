import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { choices, createSandbox, rules } from '../../../src/sandbox/index.ts';
import { withPage } from '../../../src/sandbox/page/with-page.ts';
import { serve } from '../../../src/shared/server/serve.ts';
import { missingChromium } from '../../support/chromium.ts';
import { freePort } from '../../support/ports.ts';
import { place, record, usePages, waysOf } from './inspector.ts';

describe.skipIf(missingChromium)('the page of the sandbox in Chromium', { timeout: 60_000 }, () => {
  const open = usePages();

  it('a deal that the API creates appears with its fields', async () => {
    const { api, page, show, records, requests, errors, elsewhere } = await open();
    await show('Records');
    await record(records, 501).waitFor();
    const { id } = await api.crm.deals.create({ ...place, name: 'Spring order' });
    const row = record(records, id);
    await row.getByRole('heading', { name: 'Spring order' }).waitFor();
    await row.getByText('Fields').click();
    expect(JSON.parse((await row.locator('pre').textContent()) ?? '')).toMatchObject({ record: { id, ...place } });
    await page.getByLabel('Resource').selectOption('crm.contacts');
    await record(records, 3001).getByText('Ann Kowal').waitFor();
    expect(new URL(page.url()).hash).toBe('#crm.contacts');
    await page.goBack();
    await row.waitFor();
    await show('Requests');
    expect(await requests.getByRole('listitem').textContent()).toMatch(/^POST\/crm\/v1\/deals[\d.]+ ms200/);
    expect({ errors, elsewhere }).toEqual({ errors: [], elsewhere: [] });
  });

  it.each(waysOf('keyboard'))(
    'a rejected request, opened by %s, shows its body, its response, and its rule with a link to the reference',
    async (_, use) => {
      const { api, page, requests, errors } = await open();
      await expect(
        api.crm.pipelines.failReasons.update({ pipelineId: 1, reasonId: 9_999, isEnabled: false }),
      ).rejects.toThrow();
      const entry = requests.getByRole('listitem').first();
      await entry.getByText('rule fail-reason-unknown').waitFor();
      expect(await entry.textContent()).toMatch(/^PUT.*[\d.]+ ms404/);
      expect(await entry.locator('pre').count()).toBe(0);
      await use(entry.locator('summary'), page);
      await entry.locator('pre').first().waitFor();
      const [sent = '', replied = ''] = await entry.locator('.sides > section > pre').allTextContents();
      expect([JSON.parse(sent), JSON.parse(replied)]).toEqual([
        { isEnabled: false },
        { message: 'There is no such fail reason.' },
      ]);
      expect(await entry.textContent()).toContain(rules['fail-reason-unknown'].text.trim());
      expect(await entry.textContent()).toContain('Response 404');
      const link = entry.getByRole('link', { name: 'fail-reason-unknown' });
      expect(await link.getAttribute('href')).toBe('http://127.0.0.1:9/rules/#fail-reason-unknown');
      expect(errors).toEqual([]);
    },
  );

  it('a choice explains itself and links to its description', async () => {
    const { api, requests } = await open();
    await api.crm.deals.get({ dealId: 9_999 }).catch(() => undefined);
    await requests.getByText('choice unknown-record').click();
    const reason = requests.locator('.reason').filter({ hasText: choices['unknown-record'] });
    await reason.waitFor();
    expect(await reason.textContent()).toContain('The service may behave differently.');
    expect(await reason.getByRole('link').getAttribute('href')).toBe('http://127.0.0.1:9/choices/#unknown-record');
  });

  it('a search finds requests by operation, body and status, and records by any field', async () => {
    const { api, page, show, requests, records } = await open({ seed: 60 });
    await api.crm.users.list();
    await api.crm.deals.create({ ...place, name: 'Spring order' });
    await api.crm.deals.get({ dealId: 9_999 }).catch(() => undefined);
    await requests.getByText('/deals/9999').waitFor();
    const entries = requests.getByRole('listitem');
    for (const [text, path] of [
      ['LISTUSERS', '/crm/v1/users'],
      ['spring', '/crm/v1/deals'],
      ['404', '/crm/v1/deals/9999'],
    ] as const) {
      await page.getByRole('searchbox').fill(text);
      await expect.poll(() => entries.locator('.path').allTextContents()).toEqual([path]);
    }
    await page.getByRole('searchbox').fill('nothing has this');
    await page.getByText('No request matches the search.').waitFor();

    await show('Records');
    await record(records, 501).waitFor();
    await records.getByRole('searchbox').fill('spring ORDER');
    await expect.poll(() => records.getByRole('article').count()).toBe(1);
    await records.getByRole('heading', { name: 'Spring order' }).waitFor();
    await records.getByRole('searchbox').fill('nothing has this');
    await records.getByText('No record matches the search.').waitFor();
  });

  it('older records are shown on request', async () => {
    const { show, records } = await open({ seed: 120 }, {}, '/#crm.contacts');
    await records.getByRole('article').nth(49).waitFor();
    expect(await records.getByRole('article').count()).toBe(50);
    await records.getByRole('button', { name: 'Show older' }).click();
    await records.getByRole('article').nth(99).waitFor();
    await records.getByRole('button', { name: 'Show older' }).click();
    await records.getByRole('button', { name: 'Show older' }).waitFor({ state: 'hidden' });
    await show('Requests');
  });

  it('a row stays open and keeps its focus when others arrive', async () => {
    const { api, page, requests } = await open();
    await api.crm.users.list();
    const users = requests.getByRole('listitem').filter({ hasText: '/crm/v1/users' });
    await users.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    await users.locator('.detail').waitFor();
    await users.evaluate((row) => row.setAttribute('data-kept', ''));
    await api.crm.pipelines.list();
    await requests.getByText('/crm/v1/pipelines').waitFor();
    expect(await users.getAttribute('data-kept')).toBe('');
    expect(await users.locator('.detail').isVisible()).toBe(true);
    expect(
      await users
        .locator('summary')
        .first()
        .evaluate((one) => one.matches(':focus')),
    ).toBe(true);
  });

  it('a paused list shows no new requests until it is resumed, and a cleared one is empty', async () => {
    const { api, page, requests, sandbox } = await open();
    const pause = page.getByRole('button', { name: 'Pause' });
    await pause.click();
    await api.crm.users.list();
    sandbox.faults.add({ status: 503 });
    await page.getByRole('tab', { name: 'Faults 1' }).waitFor();
    expect(await requests.getByRole('listitem').count()).toBe(0);
    await pause.click();
    await requests.getByText('/crm/v1/users').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('No requests yet').waitFor();
    expect(sandbox.requests).toHaveLength(0);
  });

  it('each world has its own records, requests and reset', async () => {
    const { page, show, records, requests, sandbox } = await open(
      { worlds: { header: 'x-world' }, control: { token: 'sesame' } },
      {},
      '/#token=sesame',
    );
    const other = sandbox.world('ben');
    await other.fetch('http://localhost/crm/v1/deals/501', {
      method: 'DELETE',
      headers: { authorization: 'Bearer any' },
    });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByLabel('World').selectOption('ben');
    await requests.getByText('DELETE', { exact: true }).waitFor();
    await show('Records');
    await records.getByText('No records.').waitFor();
    await show('Snapshots');
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('status').getByText('Reset. ').waitFor();
    await show('Records');
    await record(records, 501).waitFor();
    expect(other.state.crm.deals.has(501)).toBe(true);
  });

  it('a restarted sandbox is shown again', async () => {
    const port = await freePort();
    const first = await open({}, {}, '/', port);
    await first.api.crm.users.list();
    await first.requests.getByText('/crm/v1/users').waitFor();
    await first.server.close();
    await expect.poll(() => first.status.textContent(), { timeout: 10_000 }).toContain('does not respond');
    const sandbox = createSandbox({ control: true });
    const again = await serve(withPage(sandbox, { control: true }), { port });
    onTestFinished(() => again.close());
    const api = createClient({ baseUrl: again.url, auth: { apiKey: 'any' } });
    await api.crm.pipelines.list();
    await first.page.getByRole('button', { name: 'Refresh' }).click();
    await first.requests.getByText('/crm/v1/pipelines').waitFor();
    expect(await first.requests.getByRole('listitem').count()).toBe(1);
    // The page follows the new sandbox too.
    await api.crm.users.list();
    await first.requests.getByText('/crm/v1/users').waitFor();
  });

  it('an idle page waits for changes with one request in half a minute', async () => {
    const { api, page, requests } = await open();
    await api.crm.users.list();
    await requests.getByText('/crm/v1/users').waitFor();
    const waits: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/__sandbox/changes') waits.push(searchParams.get('wait') ?? '');
    });
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => waits).toEqual(['30000']);
  });

  it('a hidden page sends no requests, and catches up when the reader comes back', async () => {
    const { api, page, requests } = await open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await expect.poll(() => asked.at(-1)).toBe('/__sandbox/changes');
    const ended = page.waitForEvent('requestfailed');
    const turn = (isHidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);
    await page.clock.install();
    await turn(true);
    expect((await ended).url()).toContain('/__sandbox/changes');
    const before = asked.length;
    await api.crm.users.list();
    await page.clock.runFor('30:00');
    expect(asked.length).toBe(before);
    await turn(false);
    await requests.getByText('/crm/v1/users').waitFor();
  });
});
