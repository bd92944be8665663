import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const program = 'redis-server';
const password = 'r3dis-s3cret';

/** Why the tests with Redis are skipped, and what to do about it; `undefined` if Redis is installed. */
export const missingRedis =
  spawnSync(program, ['--version']).status === 0
    ? undefined
    : `there is no ${program}: install it with \`apt-get install redis-server\` to run the tests with Redis`;

export interface RedisServer {
  /** With a password, which no output of the client may show. */
  url: string;
  password: string;
  /** Stops answering, with every connection open. */
  pause(): void;
  /** Ends at once: connections break, new ones are refused. */
  kill(): Promise<void>;
}

/** A Redis server on loopback that writes nothing to disk. Whoever starts it kills it. */
export async function startRedis(): Promise<RedisServer> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const port = await freePort();
    const server = spawn(
      program,
      ['--bind', '127.0.0.1', '--port', `${port}`, '--save', '', '--appendonly', 'no', '--requirepass', password],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    // The port may have been taken since it was found free: then the server ends, and another one is tried.
    if (!(await isReady(server))) continue;
    return {
      url: `redis://:${password}@127.0.0.1:${port}`,
      password,
      pause: () => server.kill('SIGSTOP'),
      kill: () => kill(server),
    };
  }
  throw new Error(`${program} did not start`);
}

/** Redis takes port 0 for none at all, so a free one is found for it. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return address.port;
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
