/// <reference types="node" />
import { lstatSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Age of a temporary file after which the process that wrote it may have ended, in milliseconds. */
const staleMilliseconds = 60_000;

/**
 * Returns a name for a temporary file in the same folder as another file. Nobody can guess the name, so nobody can create a link
 * with this name in advance. Create the file exclusively (`wx`).
 */
export function temporaryName(file: string): string {
  // Do not import `node:crypto`, which every call of the command would load.
  const random = crypto.randomUUID().replaceAll('-', '').slice(-16);
  return `${file}.${process.pid}-${random}.unfinished`;
}

/** Removes temporary files, named by `temporaryName`, of processes that ended before they renamed the files. */
export function removeLeftovers(file: string, now: number = Date.now()): void {
  const start = `${basename(file)}.`;
  for (const name of namesIn(dirname(file))) {
    const [, pid] = name.startsWith(start)
      ? (/^(\d{1,10})-[0-9a-f]{16}\.unfinished$/.exec(name.slice(start.length)) ?? [])
      : [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const path = join(dirname(file), name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    // A process on another machine may write to a shared folder.
    if (found && now - found.mtimeMs > staleMilliseconds) rmSync(path, { force: true });
  }
}

/**
 * Returns the file that a path leads to, so that a caller can replace the file and keep a symbolic link to it. The file may not
 * exist yet.
 */
export function linkedFile(path: string): string {
  let file = path;
  for (let links = 0; links < 40; links += 1) {
    if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) break;
    file = resolve(realpathSync(dirname(file)), readlinkSync(file));
  }
  return file;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
