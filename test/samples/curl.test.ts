import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { environment } from '../../scripts/generate/samples-parts.ts';
import { type RunningServer, serve } from '../../scripts/serve/serve.ts';
import { missingCurl } from './programs.ts';
import { curlSamples } from './samples.ts';
import { type Story, tellStory } from './story.ts';

if (missingCurl) console.warn(`The curl samples do not run: ${missingCurl}`);

describe.skipIf(missingCurl)('every curl sample runs', () => {
  let server: RunningServer;
  let story: Story;

  beforeAll(async () => {
    server = await serve({ fetch: (request) => story.fetch(request) }, { port: 0 });
  });
  afterAll(() => server?.close());

  test.for(curlSamples)('$name', async ({ file, operation, calls }) => {
    story = tellStory(operation);
    expect(await runBash(file, server.url)).toMatchObject({ code: 0 });
    expect(story.failures).toEqual([]);
    const { operationId, success } = operation;
    const answered = { operation: operationId, status: Number(success.status) };
    expect(story.requests).toMatchObject(Array.from({ length: calls }, () => answered));
  });
});

/** Runs a program of Bash; what it and curl said is there to explain a failure. */
function runBash(file: string, baseUrl: string): Promise<{ code: unknown; output: string; errors: string }> {
  const env = {
    ...process.env,
    [environment.baseUrl]: baseUrl,
    [environment.apiKey]: 'any',
    NO_PROXY: '*',
    no_proxy: '*',
  };
  return new Promise((resolve) => {
    execFile('bash', [file], { env, timeout: 20_000 }, (error, output, errors) => {
      resolve({ code: error ? (error.code ?? error.signal) : 0, output, errors });
    });
  });
}
