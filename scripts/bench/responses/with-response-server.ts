import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Runs a server during a measurement. */
export async function withResponseServer<Result>(measure: (url: string) => Promise<Result>): Promise<Result> {
  const child = fork(join(import.meta.dirname, 'server.ts'));
  try {
    const [address]: AddressInfo[] = await once(child, 'message', { signal: AbortSignal.timeout(20_000) });
    return await measure(`http://127.0.0.1:${address?.port}`);
  } finally {
    child.kill();
  }
}
