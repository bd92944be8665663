import { describe, expect, it } from 'vitest';
import { readGuides } from '../../../scripts/docs/guides/read-guides.ts';
import { runnablePrograms } from '../../../scripts/docs/guides/runnable-programs.ts';
import { casesOf } from '../../../scripts/samples/cases.ts';
import { methodSample } from '../../../scripts/samples/typescript.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import { amounts, isNightly } from '../../support/amounts.ts';
import { missingChromium } from '../../support/chromium.ts';
import { findFaults } from './axe.ts';
import { bundleRun, program, useRunPage } from './run-page.ts';
import { expectWidth, looks, widths } from './widths.ts';

if (missingChromium) console.warn(`Samples on their pages are not tested in a browser: ${missingChromium}`);

const operations = specNames.flatMap((name) => listOperations(loadSpec(name)));
const readDeal = `${program}
const deal = await api.crm.deals.get({ dealId: 501 });
console.log(deal.name);
`;

describe.skipIf(missingChromium)('a sample on its page, in Chromium', { timeout: 60_000 }, () => {
  const open = useRunPage();

  it('every sample of every operation runs without a request leaving the page', { timeout: 180_000 }, async () => {
    const step = amounts.browserSampleStep;
    const samples = operations.flatMap((operation, at) =>
      (at % step === 0 ? casesOf(operation) : []).map(({ operation: one, example }) => ({
        name: `${one.operationId} ${example ?? ''}`,
        code: methodSample(one),
      })),
    );
    expect(samples.length).toBeGreaterThanOrEqual(114 / step);
    const {
      page,
      samples: [sample],
      errors,
      elsewhere,
    } = await open(readDeal);
    if (!sample) return expect.unreachable();
    await sample.run();
    // It is loaded after the first run.
    await sample.inspector.waitFor();
    const failed: string[] = [];
    for (const { name, code } of samples) {
      await page.evaluate(async (text) => {
        const element = document.querySelector('run-sample');
        const inspector = element?.shadowRoot?.querySelector('sandbox-inspector');
        const sandbox: { fetch(request: Request): Promise<Response> } = Reflect.get(Object(inspector), 'sandbox');
        await sandbox.fetch(new Request('/__sandbox/reset', { method: 'POST', body: '{}' }));
        element?.querySelector('code')?.replaceChildren(text);
      }, code);
      const output = await sample.run(/^(?:Finished|Failed|Stopped)/);
      if (!(await sample.status.textContent())?.startsWith('Finished')) failed.push(`${name}: ${output}`);
    }
    expect({ failed, errors, elsewhere }).toEqual({ failed: [], errors: [], elsewhere: [] });
  });

  it('every program of a guide that needs only client and sandbox runs, one after another', async () => {
    const all = readGuides()
      .map(({ name, markdown }) => ({ name, programs: runnablePrograms(markdown) }))
      .filter(({ programs }) => programs.length > 0);
    expect(all.length).toBeGreaterThan(10);
    // The test of the snippets runs all in Node.
    const guides = isNightly ? all : all.slice(0, 3);
    const {
      samples: [sample],
      elsewhere,
    } = await open(readDeal);
    if (!sample) return expect.unreachable();
    const failed: string[] = [];
    for (const { name, programs } of guides) {
      await sample.button('Reset data').click();
      for (const [index, code] of programs.entries()) {
        await sample.element.evaluate((element, text) => element.setAttribute('program', text), code);
        const output = await sample.run(/^(?:Finished|Failed|Stopped)/);
        const isFinished = (await sample.status.textContent())?.startsWith('Finished');
        if (!isFinished || output.includes('is an await missing?')) failed.push(`${name} ${index}: ${output}`);
      }
    }
    expect({ failed, elsewhere }).toEqual({ failed: [], elsewhere: [] });
  });

  it('the worker has at most 150 kB, gzipped', async () => {
    const { sizes } = await bundleRun();
    expect(sizes.worker).toBeLessThanOrEqual(150_000);
    expect(sizes.inspector).toBeLessThanOrEqual(15_000);
  });

  it('a program is changed, run and reset; its output and its errors are shown', async () => {
    const {
      samples: [sample],
      errors,
    } = await open(readDeal);
    if (!sample) return expect.unreachable();
    expect(await sample.run()).toBe('Annual plan renewal');
    await sample.write(`${program}
console.log({ id: 7n, at: new Date(0), list: new Set([1]), map: new Map([['a', 1]]) });
console.warn('careful', undefined, () => 1);
await api.crm.deals.get({ dealId: 9999 });
`);
    const output = await sample.run(/^Failed/);
    expect(output).toContain('"id": "7n"');
    expect(output).toContain('"at": "1970-01-01T00:00:00.000Z"');
    expect(output).toContain('careful undefined (function');
    expect(output).toMatch(/NotFoundError · line \d+ · status 404/);
    await sample.button('Discard changes').click();
    expect(await sample.run()).toBe('Annual plan renewal');
    expect(errors).toEqual([]);
  });

  it('a program with a fault shows a message', async () => {
    const {
      samples: [sample],
      errors,
    } = await open(readDeal);
    if (!sample) return expect.unreachable();
    for (const [code, name, text] of [
      // Types, another package, an error in a line, and a value that is no error.
      ['const name: string = 1;', 'SyntaxError', 'leave out types'],
      ["import { readFile } from 'node:fs/promises';", 'UnknownModule', "but not 'node:fs/promises'"],
      ["const a = 1;\nthrow new RangeError('not ' + a);", 'RangeError · line 2', 'not 1'],
      ['throw { a: 1 };', 'Thrown', '"a": 1'],
      // A rejection and an error after its end, and a cycle.
      ["Promise.reject(new Error('late'));", '', 'Error: late'],
      ["setTimeout(() => { throw new Error('later'); });", '', 'Error: later'],
      ['const a = {}; a.a = a; console.log(a);', '', '(circular)'],
    ] as const) {
      await sample.write(code);
      const output = await sample.run(name === '' ? /^Finished/ : /^Failed/);
      await sample.element.locator('.result > :is(.output, .failure)').getByText(text).waitFor();
      if (name !== '') expect(output.startsWith(name)).toBe(true);
    }
    expect(errors).toEqual([]);
  });

  it('imports are found in any form', async () => {
    const {
      samples: [sample],
    } = await open(readDeal);
    if (!sample) return expect.unreachable();
    for (const code of [
      "import * as all from 'carillon';\nconsole.log(typeof all.createClient);",
      '/* one */ // two\nimport {\n  createClient as create,\n  Crm,\n} from "carillon";\nimport \'carillon-sandbox\'; console.log(typeof create);',
      // Inside a string.
      "console.log('function'); const text = `\nimport { readFile } from 'node:fs';\n`;",
      "import { createSandbox } from 'carillon-sandbox';\nconsole.log(typeof createSandbox().fetch);",
      // A backtracking pattern for the spaces would take forever.
      `${`// a ${' '.repeat(60)}/* b */\n`.repeat(60)}console.log('function');`,
    ]) {
      await sample.write(code);
      expect(await sample.run(), code).toBe('function');
    }
  });

  it('a program that loops forever is stopped by its button and at its deadline, and its changes are kept', async () => {
    const loop = `${program}
await api.crm.deals.create({ pipelineId: 1, stepId: 11, name: 'Before the loop' });
console.log('created');
for (;;) {}
`;
    const {
      page,
      samples: [sample, other],
      errors,
    } = await open([loop, readDeal], { deadline: 60 });
    if (!sample || !other) return expect.unreachable();
    await sample.button('Run').click();
    await sample.expectStatus(/^Running/);
    // Only one sample runs at a time.
    expect(await other.button('Run').isDisabled()).toBe(true);
    await sample.element.locator('.result > .output').getByText('created').waitFor();
    await sample.button('Stop').click();
    await sample.expectStatus(/^Stopped\. /);
    expect(await other.run()).toBe('Annual plan renewal');

    await sample.element.evaluate((element) => element.setAttribute('deadline', '5'));
    await sample.button('Run').click();
    await sample.expectStatus('Stopped, because it took longer than 5 s. Its changes to the data are kept.');
    // Also on the next page of the same tab.
    await page.reload();
    await other.write(`${program}
for (const deal of await api.crm.deals.list({}).toArray({ max: 100 })) console.log(deal.name);
`);
    expect((await other.run()).match(/Before the loop/g)).toHaveLength(2);
    await other.button('Reset data').click();
    expect(await other.run()).not.toContain('Before the loop');
    expect(errors).toEqual([]);
  });

  it('the clock that the reader sets remains after a worker has ended, and faults end with it', async () => {
    const {
      samples: [sample],
    } = await open(readDeal, { deadline: 1 });
    if (!sample) return expect.unreachable();
    await sample.run();
    const { inspector } = sample;
    await inspector.getByRole('tab', { name: 'Clock' }).click();
    await inspector.getByRole('button', { name: '+30 days' }).click();
    await inspector.getByRole('button', { name: 'Freeze' }).click();
    await inspector.getByText('frozen', { exact: true }).waitFor();
    const time = await inspector.locator('time').textContent();
    await inspector.getByRole('tab', { name: 'Faults' }).click();
    await inspector.getByRole('button', { name: 'Response lost' }).click();
    await inspector.getByRole('combobox', { name: 'Operation', exact: true }).fill('deleteDeal');
    await inspector.getByRole('button', { name: 'Add fault' }).click();
    await inspector.getByText('1: deleteDeal, drop after, 1 ×').waitFor();
    await sample.write('for (;;) {}');
    await sample.run(/^Stopped/);
    await inspector.getByRole('tab', { name: 'Faults' }).click();
    await inspector.getByText('1: deleteDeal, drop after, 1 ×').waitFor({ state: 'detached' });
    await inspector.getByRole('tab', { name: 'Clock' }).click();
    await expect.poll(() => inspector.locator('time').textContent()).toBe(time);
  });

  it('unreadable data of an older version are replaced by the initial data', async () => {
    const {
      page,
      samples: [sample],
      errors,
    } = await open(readDeal);
    await page.evaluate(() =>
      sessionStorage.setItem(
        'carillon-sandbox',
        JSON.stringify([{ world: '', table: 'crm.deals', key: 501, value: 7 }]),
      ),
    );
    // A page stores its data when the reader leaves it.
    await page.goto('about:blank');
    await page.goBack();
    await page.evaluate(() =>
      sessionStorage.setItem(
        'carillon-sandbox',
        JSON.stringify([{ world: '', table: 'crm.deals', key: 501, value: 7 }]),
      ),
    );
    expect(await sample?.run()).toBe('Annual plan renewal');
    expect(errors).toEqual([]);
  });

  it('a flood of output ends, and the page stays usable', async () => {
    const {
      samples: [sample],
    } = await open('for (;;) console.log("again");', { deadline: 1 });
    if (!sample) return expect.unreachable();
    const output = await sample.run(/^Stopped/);
    expect(output.match(/again/g)).toHaveLength(1_000);
    expect(output).toContain('The rest of the output is left out.');
  });

  it('output is limited by its characters, also in few lines', async () => {
    const {
      samples: [sample],
    } = await open("for (let line = 0; line < 900; line += 1) console.log('x'.repeat(19_000));");
    if (!sample) return expect.unreachable();
    const output = await sample.run(/^Finished/);
    expect(output.length).toBeLessThan(250_000);
    expect(output).toContain('The rest of the output is left out.');
  });

  it('a program that prints a promise, or ends before its requests, says that an await is missing', async () => {
    const {
      samples: [sample],
    } = await open(`${program}console.log(api.crm.deals.get({ dealId: 501 }));`);
    if (!sample) return expect.unreachable();
    expect(await sample.run()).toContain('(a promise: is an await missing?)');
    for (const [code, says] of [
      ['const deal = api.crm.deals.get({ dealId: 501 });\nconsole.log(deal.name);', true],
      ["api.crm.deals.create({ pipelineId: 1, stepId: 11, name: 'Forgotten' });", true],
      ['await api.crm.deals.get({ dealId: 501 });', false],
      ['for await (const { id } of api.crm.contacts.list()) if (id) break;', false],
    ] as const) {
      await sample.write(`${program}${code}`);
      expect((await sample.run()).includes('is an await missing?'), code).toBe(says);
    }
  });

  it('a run says that earlier runs may have changed the data, until they are reset', async () => {
    const {
      samples: [sample],
    } = await open(readDeal);
    if (!sample) return expect.unreachable();
    await sample.run(/^Finished after \d+ ms\.$/);
    await sample.run(/^Finished after \d+ ms\. Earlier runs may have changed the data/);
    await sample.button('Reset data').click();
    await sample.run(/^Finished after \d+ ms\.$/);
  });

  it('a worker that fails to load is reported, and Run tries again', async () => {
    const {
      samples: [sample],
    } = await open(readDeal, { missing: ['/worker.ts'] });
    if (!sample) return expect.unreachable();
    await sample.run(/^The sandbox could not be started\. /);
    await sample.run(/^The sandbox could not be started\. /);
    expect(await sample.button('Run').isEnabled()).toBe(true);
  });

  it('no program reaches the network', async () => {
    const {
      samples: [sample],
      elsewhere,
      server,
    } = await open(`
const response = await fetch('https://api.example.com/crm/v1/users', { headers: { authorization: 'Bearer any' } });
console.log(response.status, response.url);
console.log([typeof WebSocket, typeof XMLHttpRequest, typeof EventSource].join());
`);
    const before = server.received.length;
    const output = await sample?.run();
    expect(output).toContain('200 https://api.example.com/crm/v1/users');
    expect(output).toContain('undefined,undefined,undefined');
    expect(elsewhere).toEqual([]);
    // Only the worker and the parts of the inspector.
    expect(
      server.received
        .slice(before)
        .map(({ url }) => url)
        .filter((url) => !/^\/(?:worker\.ts|[\w-]+\.js)$/.test(url)),
    ).toEqual([]);
  });

  it('without JavaScript, the sample is readable', async () => {
    const { page } = await open(readDeal, { context: { javaScriptEnabled: false } });
    expect(await page.locator('pre').innerText()).toContain('api.crm.deals.get({ dealId: 501 })');
    expect(await page.locator('pre').isVisible()).toBe(true);
  });

  it('it works with only the keyboard', async () => {
    const {
      page,
      samples: [sample],
    } = await open(readDeal);
    if (!sample) return expect.unreachable();
    await page.keyboard.press('Tab');
    expect(await sample.button('Run').evaluate((one) => one.matches(':focus'))).toBe(true);
    await page.keyboard.press('Enter');
    await sample.expectStatus(/^Finished/);
    await sample.button('Edit').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type("console.log('typed');");
    await page.keyboard.press('ControlOrMeta+Enter');
    await sample.output.getByText('typed').waitFor();
    await sample.inspector.getByRole('tab', { name: /^Requests/ }).focus();
    await page.keyboard.press('ArrowRight');
    await sample.inspector.getByRole('heading', { name: 'Annual plan renewal' }).waitFor();
  });

  it.each(isNightly ? (['light', 'dark'] as const) : (['light'] as const))(
    'axe finds no violation after a run, and it fits every width, in %s',
    async (colorScheme) => {
      const {
        page,
        samples: [sample],
      } = await open(`${readDeal}console.warn('x'.repeat(300));\nawait api.crm.deals.get({ dealId: 9999 });`, {
        context: { colorScheme },
      });
      if (!sample) return expect.unreachable();
      expect(await findFaults(page)).toEqual([]);
      await sample.run(/^Failed/);
      await sample.inspector.getByText('choice unknown-record').click();
      await sample.inspector.getByText('A request for a record that does not exist returns status 404').waitFor();
      for (const width of widths) {
        await expectWidth(page, width);
        if (looks.includes(width)) expect(await findFaults(page)).toEqual([]);
      }
      await sample.button('Edit').click();
      expect(await findFaults(page)).toEqual([]);
      for (const tab of ['Records', 'Scenario', 'Clock', 'Faults', 'Snapshots']) {
        await sample.inspector.getByRole('tab', { name: tab }).click();
        expect([tab, await findFaults(page)]).toEqual([tab, []]);
      }
    },
  );

  it('a scenario that the reader chooses applies to the next run, even after the worker was ended', async () => {
    const code = `import { createClient } from 'carillon';
const api = createClient({ baseUrl: 'http://127.0.0.1:4012', auth: { apiKey: 'any' } });
const { total } = await api.crm.contacts.list();
console.log('contacts', total);
for (; globalThis.isEndless;);`;
    const {
      samples: [sample],
      errors,
    } = await open(code);
    if (!sample) return expect.unreachable();
    expect(await sample.run()).toContain('contacts 2');
    const begin = async (name: string) => {
      await sample.inspector.getByRole('tab', { name: 'Scenario' }).click();
      await sample.inspector.getByRole('button', { name: `Start: ${name}` }).click();
      await sample.inspector.getByRole('tab', { name: `Scenario ${name}` }).waitFor();
    };
    await begin('empty');
    expect(await sample.run()).toContain('contacts 0');
    await begin('large');
    expect(await sample.run()).toContain('contacts 5002');
    await begin('expired-key');
    await sample.write(
      `${code.replace('globalThis.isEndless', 'true').replace(/const \{ total.*\n/, 'const total = 0;\n')}`,
    );
    await sample.button('Run').click();
    await sample.output.getByText('contacts 0').waitFor();
    await sample.button('Stop').click();
    await sample.expectStatus(/^Stopped/);
    await sample.write(code);
    expect(await sample.run(/^Failed/)).toContain('AuthenticationError');
    await sample.button('Reset data').click();
    await sample.expectStatus('The sandbox has its initial data again.');
    expect(await sample.run()).toContain('contacts 2');
    expect(errors).toEqual([]);
  });

  it('on a phone the result is scrolled into view', async () => {
    const code = `${readDeal}${'// A long program.\n'.repeat(40)}`;
    const {
      page,
      samples: [sample],
    } = await open(code, { context: { viewport: { width: 390, height: 844 } } });
    await sample?.run();
    await expect
      .poll(() => sample?.output.evaluate((one) => one.getBoundingClientRect().bottom < innerHeight))
      .toBe(true);
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
  });
});
