import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Installs what the lock of a folder names, unless it is installed: tools that `npm ci` leaves out, because few commands need them.
 *
 * @param what - what is installed, for the line that says so
 * @throws `Error` that names the folder if it cannot be installed
 */
export async function provideTools(folder: string, what: string, report: (line: string) => void): Promise<void> {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const installed = join(folder, 'node_modules', '.installed-lock.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return;
  report(`Installing ${what} (once) …`);
  const args = ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  try {
    await promisify(execFile)('npm', args, { cwd: folder, timeout: 600_000, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${what} could not be installed: npm ci in ${folder} failed. ${reason}`, { cause: error });
  }
  writeFileSync(installed, lock);
}
