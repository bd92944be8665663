/** A file cannot be used as the source of a job. The message is one sentence that names the file and, if possible, the line. */
export class SourceError extends Error {
  /** Always `SourceError`. */
  override readonly name = 'SourceError';
}

/**
 * Turns an error of the file system into a sentence for users.
 *
 * @param file - path as the user wrote it
 */
export function fileError(file: string, cause: unknown): SourceError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const reason =
    code === 'ENOENT'
      ? 'there is no such file'
      : code === 'EISDIR'
        ? 'this is a folder'
        : code === 'EACCES'
          ? 'this user may not read it'
          : cause instanceof Error
            ? cause.message
            : String(cause);
  return new SourceError(`${file}: ${reason}.`, { cause });
}
