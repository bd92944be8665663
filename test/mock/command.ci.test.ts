import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { repositoryRoot } from '../../scripts/spec/files.ts';

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/**
 * Node's arguments in `npm run mock`. Only a process has an output that Prism could write to, and a parent that ends. Starting npm
 * itself would add a second to each test.
 */
const { scripts }: { scripts: { mock: string } } = JSON.parse(
  readFileSync(join(repositoryRoot, 'package.json'), 'utf8'),
);
const [, ...command] = scripts.mock.split(' ');

function run(...args: string[]) {
  const child = spawn(process.execPath, [...command, ...args], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
  });
  children.push(child);
  return child;
}

/** Starts the command and waits for its address. */
async function start(...args: string[]): Promise<{ child: ReturnType<typeof run>; url: string }> {
  const child = run('--port', '0', ...args);
  return { child, url: await readAddress(child.stdout) };
}

/** Reads output up to the last line, and finds the address in it. */
async function readAddress(stdout: Readable): Promise<string> {
  let output = '';
  for await (const chunk of stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += chunk;
    if (output.includes('Ctrl+C')) break;
  }
  const [url] = /http:\/\/\S+?:\d+/.exec(output) ?? [];
  if (!url) throw new Error('It ended without an address');
  return url;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already exited.
  }
}

describe('npm run mock', () => {
  it('prints its address and no log, answers there, and exits cleanly', async () => {
    const { child, url } = await start();
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    const response = await fetch(`${url}/push/websites`, { signal: AbortSignal.timeout(10_000) });
    expect(response.status).toBe(401);
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    // No other output, although Prism has its own log.
    expect([await closed, await output]).toEqual([
      [0, null],
      ['', ''],
    ]);
  });

  it.skipIf(process.platform === 'win32')('exits with npm, whose shell does not forward signals', async () => {
    const line = [process.execPath, ...command, '--port', '0'].map((word) => `'${word}'`).join(' ');
    const shell = spawn('sh', ['-c', `${line}; true`], {
      cwd: repositoryRoot,
      env: { ...process.env, npm_lifecycle_event: 'mock' },
      stdio: ['ignore', 'pipe', 'ignore'],
      // Its own process group, so that all processes end even if the test fails.
      detached: true,
    });
    const { pid } = shell;
    if (pid) onTestFinished(() => killGroup(pid));
    const url = await readAddress(shell.stdout);
    shell.kill('SIGTERM');
    // The mock holds the other end of its output until it exits.
    const ended = text(shell.stdout).then(() => 'ended');
    const late = new Promise((resolve) => setTimeout(resolve, 10_000, 'still running').unref());
    expect(await Promise.race([ended, late])).toBe('ended');
    await expect(fetch(url, { signal: AbortSignal.timeout(10_000) })).rejects.toThrow();
  });
});
