import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { keyVariable, sandboxUrl } from '../../../scripts/samples/parts.ts';
import { serve } from '../../../src/shared/server/serve.ts';
import { samplesIn } from '../../support/samples.ts';
import { type FreshSandbox, freshSandbox } from './fresh-sandbox.ts';
import { missingCurl } from './missing-curl.ts';
import type { Outcome, Runner } from './runner.ts';

/** Runs samples in Bash, each against a fresh sandbox behind the same server. */
export const curlRunner: Runner = {
  missing: missingCurl,
  async run(language) {
    const outcomes = new Map<string, Outcome>();
    let sandbox: FreshSandbox | undefined;
    const server = await serve(
      { fetch: (request) => sandbox?.fetch(request) ?? new Response(null, { status: 503 }) },
      { port: 0 },
    );
    const home = await mkdtemp(join(tmpdir(), 'carillon-curl-'));
    try {
      // The samples stay unchanged: curl connects to this server's port instead of the sandbox's.
      const target = `${new URL(sandboxUrl).host}:${new URL(server.url).host}`;
      await writeFile(join(home, '.curlrc'), `connect-to = ${target}\nmax-time = 20\n`);
      for (const sample of samplesIn(language)) {
        sandbox = freshSandbox();
        const { requests, failures } = sandbox;
        const result = await runBash(sample.text, home);
        outcomes.set(sample.name, { ...result, warnings: [], requests, failures });
      }
    } finally {
      await server.close();
      await rm(home, { recursive: true, force: true });
    }
    return outcomes;
  },
  check({ requests }) {
    expect(requests).toHaveLength(1);
  },
};

/** Runs a sample in Bash, as a reader does. With `-e`, every command must succeed, not only the last one. */
async function runBash(text: string, home: string): Promise<Pick<Outcome, 'error' | 'printed'>> {
  const env = { ...process.env, CURL_HOME: home, [keyVariable]: undefined, NO_PROXY: '*', no_proxy: '*' };
  try {
    const { stdout } = await promisify(execFile)('bash', ['-euc', text], { cwd: home, env, timeout: 30_000 });
    return { error: undefined, printed: stdout === '' ? [] : [stdout] };
  } catch (error) {
    return { error: `${error} ${Object(error).stdout}`, printed: [] };
  }
}
