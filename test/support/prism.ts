import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import type { SpecOperation } from '../../scripts/spec/model.ts';

const prism = join(repositoryRoot, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js');

/** Runs `npx prism mock <file>` in a folder while `act` sends requests to its URL. */
async function withPrism<Result>(folder: string, file: string, act: (url: string) => Promise<Result>): Promise<Result> {
  const child = spawn(process.execPath, [prism, 'mock', '--port', '0', file], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
  });
  try {
    let output = '';
    for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      output += chunk;
      if (/listening on http:\S+/.test(output)) break;
    }
    // It logs each request, and would wait if nobody read the log.
    child.stdout.resume();
    const [, url = ''] = /listening on (http:\S+)/.exec(output) ?? [];
    return await act(url);
  } finally {
    child.kill('SIGKILL');
  }
}

const headers = { authorization: 'Bearer any' };

/** Gives status and body of its answer to an operation without parameters. */
export function askPrism(folder: string, file: string, operation: SpecOperation): Promise<[number, unknown]> {
  return withPrism(folder, file, async (url) => {
    const signal = AbortSignal.timeout(10_000);
    const response = await fetch(`${url}${operation.path}`, { method: operation.method, headers, signal });
    return [response.status, await response.json()];
  });
}

/** Gives the replies that it makes up, by operation. */
export function askPrismDynamically(
  folder: string,
  file: string,
  requests: readonly { id: string; method: string; path: string; json?: unknown }[],
): Promise<{ id: string; status: number; text: string }[]> {
  return withPrism(folder, file, async (url) => {
    const replies = [];
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
      replies.push({ id, status: response.status, text: await response.text() });
    }
    return replies;
  });
}
