import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { provideSharedTools, sharedTools } from '../../scripts/command-line/provide-tools.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import type { SpecOperation } from '../../scripts/spec/model.ts';

const tools = join(repositoryRoot, 'scripts', 'check', 'tools');
const prism = join(sharedTools(tools), '@stoplight', 'prism-cli', 'dist', 'index.js');

/** Runs `npx @stoplight/prism-cli mock <file>` in a folder, as its users do. The caller ends it. */
export async function startPrism(folder: string, file: string): Promise<{ url: string; end(): void }> {
  await provideSharedTools(tools, 'the tools of system tests', console.log);
  const child = spawn(process.execPath, [prism, 'mock', '--port', '0', file], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
  });
  let output = '';
  for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += chunk;
    if (/listening on http:\S+/.test(output)) break;
  }
  // Its log must be read, or it would block.
  child.stdout.resume();
  const [, url = ''] = /listening on (http:\S+)/.exec(output) ?? [];
  return { url, end: () => void child.kill('SIGKILL') };
}

const headers = { authorization: 'Bearer any' };

/** Calls an operation without parameters. Resolves to status and body. */
export async function askPrism(url: string, { path, method }: SpecOperation): Promise<[number, unknown]> {
  const response = await fetch(`${url}${path}`, { method, headers, signal: AbortSignal.timeout(10_000) });
  return [response.status, await response.json()];
}

/** Resolves to Prism's dynamic responses by operation. */
export async function askPrismDynamically(
  url: string,
  requests: readonly { id: string; method: string; path: string; json?: unknown }[],
): Promise<{ id: string; status: number; text: string }[]> {
  const responses = [];
  for (const { id, method, path, json } of requests) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...headers,
        prefer: 'dynamic=true',
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      body: json === undefined ? null : JSON.stringify(json),
      signal: AbortSignal.timeout(10_000),
    });
    responses.push({ id, status: response.status, text: await response.text() });
  }
  return responses;
}
