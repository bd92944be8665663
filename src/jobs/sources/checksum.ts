/// <reference types="node" />
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { jobsFileError } from './read-rows.ts';

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
