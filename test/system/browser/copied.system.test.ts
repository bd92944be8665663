import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startPage } from '../../../scripts/docs/layout.ts';
import { sandboxUrl } from '../../../scripts/samples/parts.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { type RunningServer, serve } from '../../../src/shared/server/serve.ts';
import { connectChromium, missingChromium } from '../../support/chromium.ts';
import { once } from '../../support/once/once.ts';
import { visit } from './visit.ts';

if (missingChromium) console.warn(`Copied samples are not tested: ${missingChromium}`);

const run = promisify(execFile);

/** Where a reader presses Copy, the operation that the program calls last, and what it prints. */
const samples: [page: string, block: (page: Page) => Locator, operation: string | undefined, printed: RegExp][] = [
  // Its sandbox is in the program.
  [startPage.file, (page) => page.locator('.code').first(), undefined, /name: 'Annual plan renewal'/],
  ['guide-first-call.html', firstProgram, 'deleteDeal', /Contact 3001: Ann/],
  [
    'crm.html#/deals/createdeal',
    (page) => page.locator('[data-section-id="/deals/createdeal"] .panel-request-samples'),
    'createDeal',
    /id: \d+/,
  ],
];

function firstProgram(page: Page): Locator {
  return page.locator('.code', { hasText: 'createClient' }).first();
}

describe.skipIf(missingChromium)('a reader who copies a sample from the docs', { timeout: 120_000 }, () => {
  let site: string;
  let browser: Browser;
  let folder: string;
  let server: RunningServer;
  let sandbox: Sandbox;

  beforeAll(async () => {
    [{ folder: site }, browser] = await Promise.all([once('site'), connectChromium(), once('dist')]);
    // Below the package, so that `import 'carillon'` finds the built one by its own name.
    await mkdir(join(repositoryRoot, '.cache'), { recursive: true });
    folder = await mkdtemp(join(repositoryRoot, '.cache', 'copied-'));
    server = await serve({ respond: (request) => sandbox.respond(request) }, { port: 0 });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  it.each(samples)(
    'pastes a program from %s that runs against a fresh sandbox',
    async (file, block, operation, printed) => {
      sandbox = createSandbox();
      const opened = await visit(browser, new URL(file, pathToFileURL(`${site}/`)).href, {
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      onTestFinished(() => opened.close());
      const { page } = opened;
      await block(page).hover();
      await block(page).getByRole('button', { name: /^copy/i }).first().click();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      // Only the port differs: another program may listen on the sandbox's.
      const program = join(folder, 'program.ts');
      await writeFile(program, copied.replaceAll(sandboxUrl, server.url));
      const { stdout, stderr } = await run(process.execPath, [program], { cwd: folder, timeout: 30_000 });
      expect(stderr).toBe('');
      expect(stdout).toMatch(printed);
      expect(sandbox.requests.at(-1)?.operation).toBe(operation);
      expect(opened.outside).toEqual([]);
    },
  );
});
