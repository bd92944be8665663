/// <reference types="node" />
import { mkdirSync } from 'node:fs';
import { JobsError } from '../jobs-error.ts';

/** Creates the folder of the jobs, of logs and of the memory, for its owner only. */
export function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new JobsError(`The folder ${folder} for the jobs cannot be created (${reason}). Name another one.`, {
      cause,
    });
  }
}
