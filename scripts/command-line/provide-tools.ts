import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../src/shared/message-of.ts';
import { fillOnce, userCache } from './user-cache.ts';

/**
 * Installs the locked packages of a folder in the folder itself, unless they are installed, for sources that import them. `npm ci` leaves
 * out these tools, because few commands need them.
 *
 * @param what - name of the tools, for the progress line
 * @throws `Error` that names the folder if they cannot be installed
 */
export async function provideTools(folder: string, what: string, report: (line: string) => void): Promise<void> {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const installed = join(folder, 'node_modules', '.installed-lock.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return;
  await install(folder, what, report);
  writeFileSync(installed, lock);
}

/** Like {@link provideTools}, but in the user's cache, where all clones share them. */
export async function provideSharedTools(folder: string, what: string, report: (line: string) => void): Promise<void> {
  await fillOnce(dirname(sharedTools(folder)), async (fresh) => {
    for (const file of manifests) cpSync(join(folder, file), join(fresh, file));
    await install(fresh, what, report);
  });
}

/** The `node_modules` that {@link provideSharedTools} fills for a folder. Each lock has its own. */
export function sharedTools(folder: string): string {
  const hash = createHash('sha256');
  for (const file of manifests) hash.update(readFileSync(join(folder, file)));
  return userCache(`${basename(folder)}-${hash.digest('hex').slice(0, 12)}`, 'node_modules');
}

const manifests = ['package.json', 'package-lock.json'];

async function install(folder: string, what: string, report: (line: string) => void): Promise<void> {
  report(`Installing ${what} (once) …`);
  const args = ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  try {
    await promisify(execFile)('npm', args, { cwd: folder, timeout: 600_000, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const reason = messageOf(error);
    throw new Error(`npm ci in ${folder} could not install ${what}: ${reason}`, { cause: error });
  }
}
