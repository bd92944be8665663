import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repositoryRoot, specPath } from '../../spec/files.ts';
import { benchFolder, peersFolder } from '../run-peer.ts';

/** A server in its own process. */
export interface Target {
  url: string;
  stop(): Promise<void>;
}

const startDeadline = 60_000;

/** @param options - of the command */
export function startSandbox(options: string[] = []): Promise<Target> {
  return start([join(repositoryRoot, 'src', 'sandbox', 'dist', 'bin', 'carillon-sandbox.js'), '--quiet', ...options]);
}

/** The project's own mock, which uses Prism as a library. */
export function startMock(): Promise<Target> {
  return start(['--conditions=carillon-source', join(repositoryRoot, 'scripts', 'serve', 'main.ts'), 'mock']);
}

/** Prism as its users start it, without its log. */
export function startPrism(): Promise<Target> {
  const command = join(benchFolder, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js');
  return start([command, 'mock', specPath('crm'), '--verboseLevel', 'error']);
}

/** Scalar's server is a library, so this starts the program of its documentation. */
export function startScalar(): Promise<Target> {
  return start([join(peersFolder, 'scalar.ts'), specPath('crm')]);
}

async function start(args: string[]): Promise<Target> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [...args, '--port', String(port)], {
    cwd: repositoryRoot,
    env: { ...process.env, NODE_OPTIONS: '', SCARF_ANALYTICS: 'false' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = () => end(child);
  const url = `http://127.0.0.1:${port}`;
  try {
    await waitFor(url, child);
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Finds a free port, for servers that do not print the one that they choose. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('There is no free port');
  return address.port;
}

async function waitFor(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + startDeadline;
  while (child.exitCode === null && performance.now() < deadline) {
    const isRunning = await fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
      () => true,
      () => false,
    );
    if (isRunning) return;
    await sleep(50);
  }
  throw new Error(`${child.spawnargs[1]} did not start within ${startDeadline / 1000} seconds`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
