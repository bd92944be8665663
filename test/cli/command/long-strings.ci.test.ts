import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectionTo } from '../../../src/cli/catalogue/connect.ts';
import { exitCodes } from '../../../src/cli/command/exit-codes.ts';
import { carillon, type Surroundings } from '../../support/terminal.ts';

// Regular expressions over millions of characters can overflow the stack.

function answering(text: string): Surroundings {
  const baseUrl = 'https://api.example.com';
  const fetch = async () => new Response(text, { headers: { 'content-type': 'application/json' } });
  return {
    connect: async ({ options }) => connectionTo({ ...options, baseUrl, auth: { apiKey: 'k' }, maxRetries: 0, fetch }),
  };
}

test('--each names a column of twelve million characters by its beginning', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-long-texts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'wide.csv');
  writeFileSync(file, `firstName;"${'x,""'.repeat(4_000_000)}"\nA;b\n`);
  const { code, errors } = await carillon(['crm', 'contacts', 'create', '--each', file], answering('{}'));
  expect([code, errors]).toEqual([exitCodes.usage, expect.stringMatching(/no parameter for the column "x,\\"x,/)]);
  expect(errors.length).toBeLessThan(600);
});

test('carillon api prints a response with a text of 24 million characters', async () => {
  const long = `{"a":"${'\\"x'.repeat(8_000_000)}", "b":"\\\\", "token_type":"x", "secret" : "hush" }`;
  const { code, output } = await carillon(['api', 'GET', '/crm/v1/deals/501'], answering(long));
  expect([code, output === long.replace('"hush"', '"[hidden]"')]).toEqual([0, true]);
});
