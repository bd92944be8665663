import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxUrl } from '../../../scripts/samples/parts.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { type RunningServer, serve } from '../../../src/shared/server/serve.ts';
import { isNightly } from '../../support/amounts.ts';
import { missingChromium } from '../../support/chromium.ts';
import { useSite } from './use-site.ts';

if (missingChromium) console.warn(`Copied samples are not tested: ${missingChromium}`);

const run = promisify(execFile);

/** The block to copy, the operation that the program calls last, and its output. */
type Sample = [page: string, block: (page: Page) => Locator, operation: string | undefined, printed: RegExp];
const guide: Sample = ['/guides/first-call/', firstProgram, 'deleteDeal', /Contact 3001: Ann/];
const samples: Sample[] = [
  // The program contains its sandbox.
  ['/', firstProgram, undefined, /name: 'Annual plan renewal'/],
  ['/crm/deals/create/', firstProgram, 'createDeal', /id: \d+/],
  ...(isNightly ? [guide] : []),
];

function firstProgram(page: Page): Locator {
  return page.locator('.expressive-code', { hasText: 'createClient' }).first();
}

describe.skipIf(missingChromium)('a reader who copies a sample from the docs', { timeout: 120_000 }, () => {
  const site = useSite();
  let folder: string;
  let server: RunningServer;
  let sandbox: Sandbox;

  beforeAll(async () => {
    // Inside the repository, so that `import 'carillon'` resolves to the package.
    await mkdir(join(repositoryRoot, '.cache'), { recursive: true });
    folder = await mkdtemp(join(repositoryRoot, '.cache', 'copied-'));
    server = await serve({ respond: (request) => sandbox.respond(request) }, { port: 0 });
  });
  afterAll(async () => {
    await server?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  it.each(samples)(
    'pastes a program from %s that runs against a fresh sandbox',
    async (file, block, operation, printed) => {
      sandbox = createSandbox();
      const opened = await site.open(file, { permissions: ['clipboard-read', 'clipboard-write'] });
      const { page } = opened;
      await block(page).hover();
      await block(page).getByRole('button', { name: /^copy/i }).first().click();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      // Replaces only the port, because another program may use the sandbox's.
      const program = join(folder, 'program.ts');
      await writeFile(program, copied.replaceAll(sandboxUrl, server.url));
      // In a process, as the reader runs it.
      const { stdout, stderr } = await run(process.execPath, ['--conditions=carillon-source', program], {
        cwd: folder,
        timeout: 30_000,
      });
      expect(stderr).toBe('');
      expect(stdout).toMatch(printed);
      expect(sandbox.requests.at(-1)?.operation).toBe(operation);
      expect(opened.outside).toEqual([]);
    },
  );
});
