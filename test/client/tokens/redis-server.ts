import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from '../../support/ports.ts';

const program = 'redis-server';
const password = 'r3dis-s3cret';

/** Why the tests with Redis are skipped, with advice; `undefined` if Redis is installed. */
export const missingRedis =
  spawnSync(program, ['--version']).status === 0
    ? undefined
    : `there is no ${program}: install it with \`apt-get install redis-server\` to run the tests with Redis`;

export interface RedisServer {
  /** Address with a password, which no output of the client may show. */
  url: string;
  password: string;
  /** Stops answering, but keeps every connection open. */
  pause(): void;
  /** Ends at once. Connections break, and new ones are refused. */
  kill(): Promise<void>;
}

/** Starts a Redis server on loopback that writes nothing to disk. The caller must kill it. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  const server = spawn(
    program,
    ['--bind', '127.0.0.1', '--port', `${port}`, '--save', '', '--appendonly', 'no', '--requirepass', password],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (!(await isReady(server))) throw new Error(`${program} did not start`);
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    password,
    pause: () => server.kill('SIGSTOP'),
    kill: () => kill(server),
  };
}

async function isReady(server: ChildProcess): Promise<boolean> {
  if (!server.stdout) return false;
  const timer = setTimeout(() => server.kill('SIGKILL'), 20_000);
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      if (!line.includes('Ready to accept connections')) continue;
      return true;
    }
    return false;
  } finally {
    clearTimeout(timer);
    server.stdout.resume();
  }
}

async function kill(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}
