import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * An address that refuses connections: no service is assigned to this port. The port of a server that was closed would not do,
 * because the next server that asks for any port can get it.
 */
export const refusedUrl = 'http://127.0.0.1:4';

/**
 * Finds a free port for a program that cannot choose one itself, or that starts again on the same port. Systems choose from 32768 or
 * a higher number, so no other server or connection gets this one meanwhile.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const port = randomInt(10_000, 32_768);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error('Found no free port between 10000 and 32767');
}
