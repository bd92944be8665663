import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SampleLanguage } from '../../scripts/samples/languages.ts';
import { sandboxUrl } from '../../scripts/samples/parts.ts';
import { type RunningServer, serve } from '../../src/server/serve.ts';
import { once } from '../support/once/once.ts';
import { type FreshSandbox, freshSandbox } from './fresh-sandbox.ts';
import { samplesIn } from './samples.ts';

const run = promisify(execFile);

/** One that sends, one that writes and one that lists. The other samples are evaluated in one process, which is faster. */
const copied = ['messaging/createCampaign.emulated.', 'crm/createDeal.ordinary.', 'crm/listContacts.firstPage.'];

describe.each<SampleLanguage>(['typescript', 'typescript-path'])(
  'a reader who copies a sample into a file: %s',
  (id) => {
    let folder = '';
    let server: RunningServer;
    let sandbox: FreshSandbox;

    beforeAll(async () => {
      const { nodeModules } = await once('installed');
      folder = await mkdtemp(join(tmpdir(), 'carillon-samples-'));
      await symlink(nodeModules, join(folder, 'node_modules'));
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
      server = await serve({ fetch: (request) => sandbox.fetch(request) }, { port: 0 });
    });
    afterAll(async () => {
      await server?.close();
      await rm(folder, { recursive: true, force: true });
    });

    it.for(copied)('runs %s with the installed package and a sandbox on a port', async (start) => {
      const sample = samplesIn(id).find(({ name }) => name.startsWith(start));
      if (!sample) throw new Error(`No sample ${start}`);
      sandbox = freshSandbox();
      const file = join(folder, 'sample.ts');
      // Only the port differs: another program may listen on the sandbox's.
      await writeFile(file, sample.text.replace(sandboxUrl, server.url));
      const { stdout, stderr } = await run(process.execPath, [file], { cwd: folder, timeout: 20_000 });
      expect(stderr).toBe('');
      expect(stdout).toContain('{');
      expect(sandbox.failures).toEqual([]);
      expect(sandbox.requests.map(({ operation }) => operation)).toContain(sample.operation.operationId);
    });
  },
);
