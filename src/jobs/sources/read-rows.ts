/// <reference types="node" />
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { FileError, fileError } from '../../shared/rows/file-error.ts';
import type { FileRow } from '../../shared/rows/file-row.ts';
import { formatOf, readSource, toTextSource } from '../../shared/rows/read-rows.ts';
import { JobsError } from '../jobs-error.ts';

/**
 * Reads a file in the format of its extension: `.csv`, `.ndjson` or `.jsonl`.
 *
 * @throws `JobsError` if the file has another extension, or if a line cannot be read
 */
export async function* readRows(file: string): AsyncGenerator<FileRow> {
  try {
    yield* readSource(toTextSource(file), formatOf(file));
  } catch (error) {
    throw error instanceof FileError ? asJobsError(error) : error;
  }
}

/**
 * Converts a file system error to a sentence for users.
 *
 * @param file - path as the user wrote it
 */
export function jobsFileError(file: string, cause: unknown): JobsError {
  return asJobsError(fileError(file, cause));
}

function asJobsError({ message, cause }: FileError): JobsError {
  return new JobsError(message, cause === undefined ? {} : { cause });
}

/**
 * Computes the checksum that identifies the file of a job.
 *
 * @returns SHA-256 of the content, in hexadecimal
 * @throws `JobsError` if the file cannot be read
 */
export async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file), hash);
  } catch (error) {
    throw jobsFileError(file, error);
  }
  return hash.digest('hex');
}
