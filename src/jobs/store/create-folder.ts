/// <reference types="node" />
import { mkdirSync, readdirSync, statfsSync } from 'node:fs';
import { messageOf } from '../../shared/message-of.ts';
import { JobsError } from '../jobs-error.ts';

/** Network file systems, on which SQLite's locks are unreliable, by their numbers on Linux. */
const remote: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'SMB',
  4266872130: 'SMB',
  16914839: '9p',
  1702057286: 'FUSE',
};

/** Creates the folder for the jobs, the logs, and what this machine remembers about its jobs. Only its owner can access the folder. */
export function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const reason = messageOf(cause);
    throw new JobsError(`The folder ${folder} for the jobs cannot be created (${reason}). Specify another folder.`, {
      cause,
    });
  }
  assertLocalFolder(folder);
}

/** Returns the names of the files in a folder, which may not exist yet. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * @throws `JobsError` on network file systems, where a locked log does not prove that its worker is alive. Checks only on Linux,
 * because other systems use other numbers for file systems
 */
export function assertLocalFolder(folder: string): void {
  if (process.platform !== 'linux') return;
  const found = remote[statfsSync(folder).type];
  if (found !== undefined)
    throw new JobsError(
      `${folder} is on a network file system (${found}), where file locks are unreliable. Use a folder on a local disk.`,
    );
}
