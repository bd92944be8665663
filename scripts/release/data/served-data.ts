import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { userEnvironment } from '../../check/runtimes/package.ts';
import { listPrograms } from '../built.ts';

/** Timeout for the start of a command, in milliseconds. */
const patience = 30_000;

/** A sandbox command that failed to start. The message is its output. */
export class StartError extends Error {}

/**
 * Serves a folder of data with a release's command while `use` runs.
 *
 * @throws {@link StartError} if the command ends before it serves
 */
export async function serveData<Result>(
  release: string,
  folder: string,
  use: (ask: (request: string, body?: object) => Promise<string>) => Promise<Result>,
  options: string[] = [],
): Promise<Result> {
  const program = listPrograms(release).get('carillon-sandbox');
  if (program === undefined) throw new Error('No package of this release has the command carillon-sandbox.');
  const args = [program, '--data', folder, '--port', '0', '--quiet', ...options];
  const child = spawn(process.execPath, args, {
    env: userEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 4 * patience,
    killSignal: 'SIGKILL',
  });
  const ended = once(child, 'close');
  let [output, errors] = ['', ''];
  try {
    child.stderr.on('data', (chunk) => (errors += chunk));
    const url = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new StartError(`It did not start in ${patience} ms.`)), patience);
      child.on('error', reject);
      child.on('close', () => reject(new StartError(errors.replace(/^carillon-sandbox: /, ''))));
      child.stdout.on('data', (chunk) => {
        output += chunk;
        const [, found] = /answers at (\S+)/.exec(output) ?? [];
        if (found === undefined) return;
        clearTimeout(timer);
        resolve(found);
      });
    });
    return await use((request, body) => ask(url, request, body));
  } finally {
    if (child.exitCode === null) child.kill('SIGTERM');
    await ended;
  }
}

async function ask(url: string, request: string, body: object | undefined): Promise<string> {
  const [method = '', path = ''] = request.split(' ');
  const response = await fetch(new URL(path, url), {
    method,
    headers: { authorization: 'Bearer any', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(patience),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${request} was answered with ${response.status}: ${text}`);
  return text;
}
