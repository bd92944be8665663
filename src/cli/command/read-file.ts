import { readFileSync, statSync } from 'node:fs';
import { UsageError } from '../../shared/command-line.ts';

/** Maximum size of a file that a flag names, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Reads a file that the person named in a flag.
 *
 * @throws `UsageError` for a folder, a device or a pipe, because a device or a pipe may never end; a system error if there is
 * no such file
 */
export function readGivenFile(path: string): Uint8Array {
  const found = statSync(path);
  if (!found.isFile()) throw new UsageError(`${path} is not a file. To read from a pipe, use --input -.`);
  if (found.size > maxBytes) throw new UsageError(`${path} is larger than ${maxBytes / 1024 / 1024} MiB.`);
  return readFileSync(path);
}
