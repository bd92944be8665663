import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { keyVariable, sandboxUrl } from '../../../scripts/samples/parts.ts';
import { serve } from '../../../src/shared/server/serve.ts';
import { type Sample, samplesIn } from '../../support/samples.ts';
import { type FreshSandbox, freshSandbox } from './fresh-sandbox.ts';
import { missingCurl } from './missing-curl.ts';
import type { Outcome, Runner } from './runner.ts';

/** Runs samples in Bash, each against a fresh sandbox behind one server. */
export const curlRunner: Runner = {
  missing: missingCurl,
  async run(language) {
    const outcomes = new Map<string, Outcome>();
    let sandbox: FreshSandbox | undefined;
    let bash: Bash | undefined;
    const server = await serve(
      { fetch: (request) => sandbox?.fetch(request) ?? new Response(null, { status: 503 }) },
      { port: 0 },
    );
    const home = await mkdtemp(join(tmpdir(), 'carillon-curl-'));
    try {
      // The texts stay as they are: curl connects to the port of this server instead of the sandbox's.
      const target = `${new URL(sandboxUrl).host}:${new URL(server.url).host}`;
      await writeFile(join(home, '.curlrc'), `connect-to = ${target}\nmax-time = 20\n`);
      bash = startBash(home);
      for (const sample of samplesIn(language)) {
        sandbox = freshSandbox();
        const { requests, failures } = sandbox;
        const result = await bash.run(sample);
        outcomes.set(sample.name, { ...result, warnings: [], requests, failures });
      }
    } finally {
      bash?.end();
      await server.close();
      await rm(home, { recursive: true, force: true });
    }
    return outcomes;
  },
  check({ requests }) {
    expect(requests).toHaveLength(1);
  },
};

interface Bash {
  run(sample: Sample): Promise<Pick<Outcome, 'error' | 'printed'>>;
  end(): void;
}

/**
 * Starts each sample in a new Bash. They are children of one Bash, because a process as large as that of the tests takes longer
 * to start another than the sample runs.
 *
 * @param home - the folder with curl's settings
 */
function startBash(home: string): Bash {
  const env = {
    ...process.env,
    CURL_HOME: home,
    [keyVariable]: undefined,
    NO_PROXY: '*',
    no_proxy: '*',
  };
  // With -e, each command must succeed, not the last one alone.
  const each = 'bash -eu sample.sh </dev/null >output 2>errors; echo $?';
  const child = spawn('bash', ['-c', `while read -r; do ${each}; done`], {
    cwd: home,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const codes = createInterface(child.stdout)[Symbol.asyncIterator]();
  const read = (name: string): Promise<string> => readFile(join(home, name), 'utf8');
  return {
    async run({ text }) {
      await writeFile(join(home, 'sample.sh'), text);
      child.stdin.write('\n');
      const { value: code } = await codes.next();
      const [output, errors] = await Promise.all([read('output'), read('errors')]);
      return {
        error: code === '0' ? undefined : `${code}: ${output}${errors}`,
        printed: output === '' ? [] : [output],
      };
    },
    end: () => child.stdin.end(),
  };
}
