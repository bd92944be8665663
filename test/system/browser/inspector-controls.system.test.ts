import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ListedFault } from '../../../src/sandbox/index.ts';
import { missingChromium } from '../../support/chromium.ts';
import { place, record, startAt, usePages, ways } from './inspector.ts';

describe.skipIf(missingChromium)('the page of the sandbox in Chromium', { timeout: 60_000 }, () => {
  const open = usePages();

  it.each(Object.entries(ways))('the clock is advanced, set, resumed and frozen by %s', async (_, use) => {
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

  it.each(Object.entries(ways))('a fault is added, applied, used up and removed by %s', async (_, use) => {
    const { api, page, show, faults, requests, status } = await open();
    await show('Faults');
    await fields(faults).operation.fill('getDeal');
    await faults.getByLabel('Status', { exact: true }).fill('503');
    await faults.getByLabel('Times').fill('2');
    await use(faults.getByRole('button', { name: 'Add fault' }), page);
    await faults.getByText('1: getDeal, status 503, 2 ×').waitFor();
    await expect(api.crm.deals.get({ dealId: 501 })).rejects.toMatchObject({ status: 503 });
    await faults.getByText('1: getDeal, status 503, 1 ×').waitFor();
    await use(faults.getByRole('button', { name: 'Remove fault 1' }), page);
    await expect.poll(() => faults.getByRole('list', { name: 'Faults' }).getByRole('listitem').count()).toBe(0);
    expect((await api.crm.deals.get({ dealId: 501 })).id).toBe(501);

    await fields(faults).operation.fill('getDea');
    await use(faults.getByRole('button', { name: 'Add fault' }), page);
    await expect.poll(() => status.textContent()).toContain('Did you mean getDeal');
    expect(await status.getAttribute('class')).toContain('bad');
    await show('Requests');
    await requests.getByText('fault 1').waitFor();
  });

  /** Form input → the fault in the sandbox. */
  const kinds: [string, (faults: Locator) => Promise<void>, Partial<ListedFault>][] = [
    [
      'a status with headers and JSON',
      async (faults) => {
        await faults.getByText('Headers and body of the reply').click();
        await faults.getByLabel('Headers, one per line', { exact: true }).fill('Retry-After: 7\nx-test: a: b');
        await faults.getByLabel('Body: JSON').fill('{"message": "Later"}');
      },
      { status: 503, headers: { 'Retry-After': '7', 'x-test': 'a: b' }, body: { message: 'Later' } },
    ],
    [
      'a text that is no JSON',
      async (faults) => {
        await faults.getByText('Headers and body of the reply').click();
        await faults.getByLabel('Body: JSON').fill('{"data": [');
      },
      { status: 503, text: '{"data": [' },
    ],
    ['a fixed delay', async (faults) => chooseDelay(faults, 'Fixed', { 'Delay (ms)': '40' }), { delay: 40 }],
    [
      'a random delay',
      async (faults) => chooseDelay(faults, 'Random, uniform', { 'Shortest (ms)': '1', 'Longest (ms)': '9' }),
      { delay: { min: 1, max: 9 } },
    ],
    [
      'a log-normal delay',
      async (faults) => chooseDelay(faults, 'Random, log-normal', { 'Median (ms)': '4', 'Sigma (0 to 5)': '0.25' }),
      { delay: { median: 4, sigma: 0.25 } },
    ],
    [
      'a delay before the operation',
      async (faults) => {
        await chooseDelay(faults, 'Fixed', { 'Delay (ms)': '40' });
        await faults.getByLabel('Delay is').selectOption('Before it');
      },
      { delay: 40, delayAt: 'before' },
    ],
    ['a slow body', async (faults) => run(faults, 'Body takes (ms)', '30'), { slowBody: 30 }],
    ...(
      [
        ['Reset the connection before it is processed', 'before'],
        ['Process it, then lose the reply', 'after'],
        ['Reset the connection in the middle of the reply', 'during-body'],
        ['Reset the connection at its next request', 'after-body'],
      ] as const
    ).map(([label, drop]): [string, (faults: Locator) => Promise<void>, Partial<ListedFault>] => [
      `a connection that drops: ${drop}`,
      async (faults) => void (await fields(faults).effect.selectOption(label)),
      { drop },
    ]),
    [
      'conditions',
      async (faults) => {
        await faults.getByText('Only some requests').click();
        await faults.getByLabel('Method').fill('put');
        await faults.getByLabel('Path, *').fill('/crm/v1/deals/*');
        await faults.getByLabel('Path parameters').fill('dealId: 501');
        await faults.getByLabel('Query parameters').fill('limit: 10');
        await faults.getByLabel('Request headers').fill('x-job: 7');
        await faults.getByLabel('Part of the body').fill('{"pipelineId": 1}');
      },
      {
        match: {
          method: 'put',
          path: '/crm/v1/deals/*',
          parameters: { dealId: '501' },
          query: { limit: '10' },
          headers: { 'x-job': '7' },
          body: { pipelineId: 1 },
        },
      },
    ],
    [
      'a number, a probability and a seed, always',
      async (faults) => {
        await faults.getByLabel('From request number').fill('3');
        await faults.getByLabel('Times').fill('');
        await faults.getByText('By chance').click();
        await faults.getByLabel('Probability').fill('0.25');
        await faults.getByLabel('Random seed').fill('7');
      },
      { nth: 3, times: 'always', probability: 0.25, randomSeed: 7 },
    ],
  ];

  it.each(kinds)('every kind of fault can be set: %s', async (_, fill, expected) => {
    const { show, faults, sandbox } = await open();
    await show('Faults');
    await fill(faults);
    await faults.getByRole('button', { name: 'Add fault' }).click();
    await faults.getByText(/^1: any operation/).waitFor();
    expect(sandbox.faults.list()).toMatchObject([expected]);
  });

  it('faults take effect: a lost reply, a delay, a slow body, a truncated reply', async () => {
    const { api, show, faults, sandbox } = await open();
    await show('Faults');
    const add = async (example: string) => {
      const before = sandbox.faults.list().length;
      await faults.getByRole('button', { name: example }).click();
      await fields(faults).operation.fill('getDeal');
      await faults.getByRole('button', { name: 'Add fault' }).click();
      await expect.poll(() => sandbox.faults.list().length).toBe(before + 1);
    };
    const get = () => api.crm.deals.get({ dealId: 501 });
    for (const example of ['Reply lost', 'Reply cut off']) {
      await add(example);
      await expect(get()).rejects.toThrow();
    }
    await add('HTML of a gateway');
    await expect(get()).rejects.toMatchObject({ status: 502 });
    for (const example of ['Slow reply', 'Slow body']) {
      await add(example);
      const begun = performance.now();
      expect((await get()).id).toBe(501);
      expect(performance.now() - begun).toBeGreaterThan(2_000);
    }
    expect(sandbox.faults.list()).toEqual([]);
  });

  it.each([
    ['Headers, one per line', 'Headers and body of the reply', 'no colon', 'write one “name: value” per line'],
    ['Part of the body, as JSON', 'Only some requests', '{', 'Part of the body is not JSON'],
  ])('an unreadable field is named, and the input is kept: %s', async (label, part, text, message) => {
    const { show, faults, status, sandbox } = await open();
    await show('Faults');
    await faults.getByText(part).click();
    const field = faults.getByRole('textbox', { name: label, exact: true });
    await field.fill(text);
    await faults.getByRole('button', { name: 'Add fault' }).click();
    await status.getByText(message).waitFor();
    expect(await field.inputValue()).toBe(text);
    expect(sandbox.faults.list()).toEqual([]);
  });

  it.each(Object.entries(ways))(
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

function fields(faults: Locator): { operation: Locator; effect: Locator } {
  return {
    operation: faults.getByRole('combobox', { name: 'Operation', exact: true }),
    effect: faults.getByRole('combobox', { name: 'Effect', exact: true }),
  };
}

async function run(faults: Locator, label: string, value: string): Promise<void> {
  await fields(faults).effect.selectOption('Run the operation, delayed or slow');
  await faults.getByLabel(label).fill(value);
}

async function chooseDelay(faults: Locator, kind: string, values: Readonly<Record<string, string>>): Promise<void> {
  await fields(faults).effect.selectOption('Run the operation, delayed or slow');
  await faults.getByRole('combobox', { name: 'Delay', exact: true }).selectOption(kind);
  for (const [label, value] of Object.entries(values)) await faults.getByLabel(label).fill(value);
}
