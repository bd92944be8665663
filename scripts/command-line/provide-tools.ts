import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Installs the locked packages of a folder, unless they are installed. `npm ci` leaves out these tools, because few commands need them.
 *
 * @param what - name of the tools, for the progress line
 * @throws `Error` that names the folder if they cannot be installed
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
