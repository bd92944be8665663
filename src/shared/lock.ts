import { createHash } from 'node:crypto';
import { realpathSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Another process uses the folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
}

/** Longest path of a Unix socket that all systems support, in bytes. */
const longestPath = 100;

/**
 * Reserves a folder for this process: listens on a socket in it. The system closes the socket when the process ends,
 * even after `kill -9`. Process ids would not do: each container counts its own.
 *
 * @returns releases the folder
 * @throws `FolderInUseError` if another process has reserved it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const address = addressOf(folder);
  const server = await listen(address, folder);
  server.unref();
  return () => new Promise((resolve) => server.close(() => resolve()));
}

function addressOf(folder: string): string {
  const real = realpathSync(folder);
  const name = `carillon-${createHash('sha256').update(real).digest('hex').slice(0, 16)}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  const inside = join(real, 'lock');
  return Buffer.byteLength(inside) <= longestPath ? inside : join(tmpdir(), name);
}

async function listen(address: string, folder: string): Promise<Server> {
  try {
    return await listenOnce(address);
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE')) throw error;
  }
  if (await answers(address)) throw new FolderInUseError(`${folder} is in use by another process. Stop it first.`);
  // The process that listened here has ended without removing its socket.
  unlinkSync(address);
  return listenOnce(address);
}

function listenOnce(address: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => resolve(server));
  });
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
