import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runCli } from '../../../src/cli/command/cli.ts';
import { systemIo } from '../../../src/cli/command/system.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { serve } from '../../../src/shared/server/serve.ts';
import { launchChromium, missingChromium } from '../../support/chromium.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-learn-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.skipIf(missingChromium)('learns from a recording of Chromium, and prints none of its values', async () => {
  const sandbox = createSandbox();
  const server = await serve({ respond: (request) => sandbox.respond(request) }, { port: 0 });
  const browser = await launchChromium();
  const har = join(folder, 'traffic.har');
  const context = await browser.newContext({ recordHar: { path: har, content: 'embed' } });
  try {
    const page = await context.newPage();
    await page.goto(`${server.url}/nothing`);
    const statuses = await page.evaluate(
      async (paths) => {
        const found: number[] = [];
        const headers = { authorization: 'Bearer s3cret-key' };
        for (const path of paths) {
          const response = await fetch(path, { headers });
          await response.text();
          found.push(response.status);
        }
        return found;
      },
      ['/crm/v1/users', '/crm/v1/deals/501', '/crm/v1/deals/424242', '/msgr/senders'],
    );
    expect(statuses).toEqual([200, 200, 404, 200]);
  } finally {
    await context.close();
    await browser.close();
    await server.close();
  }
  expect(readFileSync(har, 'utf8')).toMatch(/s3cret-key|Olena/);
  const out = join(folder, 'observed.json');
  let notes = '';
  let output = '';
  const io = {
    ...systemIo(),
    note(text: string) {
      notes += text;
    },
    write(text: string) {
      output += text;
    },
  };
  expect([await runCli(['learn', har, '--base-url', server.url, '--out', out], io), notes]).toEqual([
    0,
    expect.stringContaining('4 replies learnt, 1 left out (1 of unknown paths'),
  ]);
  const text = readFileSync(out, 'utf8');
  expect(text).toMatch(/"listUsers"[\s\S]*/);
  expect(text).not.toMatch(/s3cret|Olena|424242|127\.0\.0\.1|renewal/i);
  expect(await runCli(['learn', 'report', out], io)).toBe(0);
  expect(output).toMatch(/^Observed on 1 account, 4 replies\./);
  expect(output).toContain('crm: User: The shape of a team member is not documented.');
});
