import { constants, fstatSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { UsageError } from '../../shared/command-line.ts';

/** Maximum size of a file that a flag names, in bytes. */
const maxGivenBytes = 64 * 1024 * 1024;

/**
 * Reads a file that the person named in a flag, or a pipe that they passed to the command (`/dev/stdin`, `/dev/fd/3`).
 *
 * @param milliseconds - time limit for a pipe
 * @throws `UsageError` for a device, a folder, a named pipe, and a pipe that does not end in time; a system error if there is
 * no such file
 */
export async function readGivenFile(path: string, milliseconds: number, signal: AbortSignal): Promise<Uint8Array> {
  const descriptor = descriptorOf(path);
  if (descriptor !== undefined) {
    const found = fstatSync(descriptor);
    if (found.isFIFO() || found.isSocket()) return readPipe(path, descriptor, milliseconds, signal);
  }
  // Without blocking, a named pipe can be opened and refused although nobody writes to it.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await file.stat();
    refuseUnlessFile(path, found);
    if (found.size > maxGivenBytes) throw tooLarge(path);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** The descriptor of a path that names one. */
function descriptorOf(path: string): number | undefined {
  if (path === '/dev/stdin') return 0;
  const [, number] = /^\/(?:dev|proc\/self)\/fd\/(\d{1,6})$/.exec(path) ?? [];
  return number === undefined ? undefined : Number(number);
}

function refuseUnlessFile(path: string, found: Stats): void {
  if (found.isFile()) return;
  if (found.isDirectory()) throw new UsageError(`${path} is a folder.`);
  if (found.isFIFO() || found.isSocket())
    throw new UsageError(
      `${path} is a named pipe, which may never end. Pass a pipe to the command: with /dev/stdin, or with <(…) of the shell.`,
    );
  throw new UsageError(`${path} is a device, not a file.`);
}

async function readPipe(
  path: string,
  descriptor: number,
  milliseconds: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  // A socket waits in the event loop. A stream of the file system would block a thread, which nothing can end.
  const pipe: Readable =
    descriptor === 0 ? process.stdin : new Socket({ fd: descriptor, readable: true, writable: false });
  const late = new UsageError(`${path} did not end within ${milliseconds / 1000} seconds (--timeout).`);
  const stop = (): void => void pipe.destroy(signal.reason instanceof Error ? signal.reason : undefined);
  const timer = setTimeout(() => pipe.destroy(late), milliseconds);
  signal.addEventListener('abort', stop, { once: true });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of pipe) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > maxGivenBytes) throw tooLarge(path);
      chunks.push(bytes);
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    pipe.destroy();
  }
  return Buffer.concat(chunks);
}

function tooLarge(path: string): UsageError {
  return new UsageError(`${path} is larger than ${maxGivenBytes / 1024 / 1024} MiB.`);
}
