import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import type { SpecOperation } from '../../scripts/spec/model.ts';

const prism = join(repositoryRoot, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js');

/** Runs `npx prism mock <file>` in a folder, and gives status and body of its answer to an operation without parameters. */
export async function askPrism(folder: string, file: string, operation: SpecOperation): Promise<[number, unknown]> {
  const child = spawn(process.execPath, [prism, 'mock', '--port', '0', file], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 30_000,
  });
  try {
    let output = '';
    for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      output += chunk;
      if (/listening on http:\S+/.test(output)) break;
    }
    const [, url] = /listening on (http:\S+)/.exec(output) ?? [];
    const response = await fetch(`${url}${operation.path}`, {
      method: operation.method,
      headers: { authorization: 'Bearer any' },
      signal: AbortSignal.timeout(10_000),
    });
    return [response.status, await response.json()];
  } finally {
    child.kill('SIGKILL');
  }
}
