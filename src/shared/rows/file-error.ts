import { messageOf } from '../message-of.ts';
/**
 * A file of rows cannot be read or written. The message names the file, the line if applicable, and what to do. It does not quote
 * values.
 */
export class FileError extends Error {
  override readonly name = 'FileError';
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder',
  EACCES: 'this user has no permission to open the file',
  ENOSPC: 'the disk is full',
};

/**
 * Converts a file system error to a sentence for users.
 *
 * @param file - path as the user wrote it
 */
export function fileError(file: string, cause: unknown): FileError {
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const reason = reasons[code] ?? messageOf(cause);
  return new FileError(`${file}: ${reason}.`, { cause });
}
