import { execFile } from 'node:child_process';
import { expect } from 'vitest';
import { environment } from '../../scripts/samples/parts.ts';
import { serve } from '../../src/server/serve.ts';
import { missingCurl } from './missing-curl.ts';
import type { Outcome, Runner } from './runner.ts';
import { type Sample, samplesIn } from './samples.ts';
import { type FreshSandbox, freshSandbox } from './fresh-sandbox.ts';

/** Runs samples in Bash, each against a fresh sandbox behind one server. */
export const curlRunner: Runner = {
  missing: missingCurl,
  async run(language) {
    const outcomes = new Map<string, Outcome>();
    let sandbox: FreshSandbox | undefined;
    const server = await serve(
      { fetch: (request) => sandbox?.fetch(request) ?? new Response(null, { status: 503 }) },
      { port: 0 },
    );
    try {
      for (const sample of samplesIn(language)) {
        sandbox = freshSandbox();
        const { requests, failures } = sandbox;
        const result = await runBash(sample, server.url);
        outcomes.set(sample.name, { ...result, warnings: [], requests, failures });
      }
    } finally {
      await server.close();
    }
    return outcomes;
  },
  check({ requests }) {
    expect(requests).toHaveLength(1);
  },
};

function runBash({ text }: Sample, baseUrl: string): Promise<Pick<Outcome, 'error' | 'printed'>> {
  const env = {
    ...process.env,
    [environment.baseUrl]: baseUrl,
    [environment.apiKey]: undefined,
    NO_PROXY: '*',
    no_proxy: '*',
  };
  return new Promise((resolve) => {
    // With -e, each command must succeed, not the last one alone.
    execFile('bash', ['-euc', text], { env, timeout: 20_000 }, (error, output, errors) => {
      resolve({
        error: error ? `${error.code ?? error.signal}: ${output}${errors}` : undefined,
        printed: output === '' ? [] : [output],
      });
    });
  });
}
