import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { casesOf } from '../../../scripts/samples/cases.ts';
import { methodSample } from '../../../scripts/samples/typescript.ts';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import { connectChromium, missingChromium } from '../../support/chromium.ts';
import { once } from '../../support/once/once.ts';

const squeeze = (text: string): string => text.replaceAll(/\s+/g, '');

describe.skipIf(missingChromium)('the code of an operation', () => {
  let browser: Browser;
  let folder = '';
  beforeAll(async () => {
    browser = await connectChromium();
    ({ folder } = await once('site'));
  });
  afterAll(() => browser?.close());

  it('is that of the example which a reader picks', async () => {
    const operation = listOperations(loadSpec('messaging')).find(({ operationId }) => operationId === 'createCampaign');
    if (!operation) throw new Error('There is no createCampaign');
    const [first, , third] = casesOf(operation);
    if (!first || !third?.example) throw new Error('It has fewer than three examples');
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${pathToFileURL(join(folder, 'messaging.html'))}#operation/createCampaign`);
    const panel = page.locator('.panel-request-samples').filter({ hasText: operation.path }).first();
    const shown = async (): Promise<string> => squeeze((await panel.textContent()) ?? '');
    await expect.poll(shown, { timeout: 10_000 }).toContain(squeeze(methodSample(first.operation)));

    const { summary = '' } = operation.body?.examples[third.example] ?? {};
    await panel.getByRole('button', { name: /^Example\b/ }).click();
    await page.getByText(summary, { exact: true }).filter({ visible: true }).first().click();
    await expect.poll(shown, { timeout: 10_000 }).toContain(squeeze(methodSample(third.operation)));
    expect(await shown()).not.toContain(squeeze(methodSample(first.operation)));
    await page.close();
  });
});
