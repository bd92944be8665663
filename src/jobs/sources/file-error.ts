import { JobsError } from '../jobs-error.ts';

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder',
  EACCES: 'this user may not open it',
  ENOSPC: 'the disk is full',
};

/**
 * Turns an error of the file system into a sentence for users.
 *
 * @param file - path as the user wrote it
 */
export function fileError(file: string, cause: unknown): JobsError {
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const reason = reasons[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return new JobsError(`${file}: ${reason}.`, { cause });
}
