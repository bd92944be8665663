import { once } from 'node:events';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** Creates a socket with this path until the test ends: like a device, it has a name but is not a file. */
export async function createSocketFile(path: string): Promise<void> {
  const server = createServer().listen(path);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
}
