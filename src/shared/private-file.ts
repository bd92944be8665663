import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { linkedFile, removeLeftovers, temporaryName } from './temporary-file.ts';

/**
 * The credentials, the proxy settings or the database address of a command are missing, invalid or readable by other users. The
 * message says what to do and contains no secret.
 */
export class CredentialsError extends Error {
  override readonly name = 'CredentialsError';
}

/**
 * Reads a file that only its owner can read. Checks the permissions of the opened file, in case another file replaces it
 * meanwhile.
 *
 * @param advice - text that follows the message if other users can read the file
 * @returns `undefined` if the file does not exist
 * @throws `CredentialsError` if other users can read the file
 */
export function readPrivately(
  file: string,
  advice = ' If other users may have read the file, replace the key.',
): string | undefined {
  let opened: number;
  try {
    opened = openSync(file, constants.O_RDONLY);
  } catch (cause) {
    if (isError(cause, 'ENOENT')) return undefined;
    throw new CredentialsError(`${file} cannot be read. Check its permissions.`, { cause });
  }
  try {
    const mode = fstatSync(opened).mode & 0o777;
    // Windows does not have these permissions, but the folder belongs to its user.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new CredentialsError(
        `Other users can read ${file} (mode ${mode.toString(8)}). Run: chmod 600 '${file}'.${advice}`,
      );
    }
    return readFileSync(opened, 'utf8');
  } finally {
    closeSync(opened);
  }
}

/**
 * Writes a file that only its owner can read, and replaces an existing file. A symbolic link is kept, and its target is
 * replaced.
 *
 * @throws `CredentialsError` if the path exists but is not a file, such as a device
 */
export function writePrivately(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = linkedFile(path);
  requireFile(file);
  removeLeftovers(file);
  // Write under another name first, so that the file is never incomplete or readable by other users.
  const temporary = temporaryName(file);
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    chmodSync(temporary, 0o600);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Checks that an existing path is a file, before its permissions change, or before it is replaced or removed.
 *
 * @throws `CredentialsError` if the path exists but is not a file, such as a device
 */
export function requireFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new CredentialsError(`${path} is not a file. Choose another path.`);
}

function isError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
