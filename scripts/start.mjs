/**
 * `npm start`: installs the packages of the project if they are missing or older than the lockfile, then starts
 * `scripts/serve/main.ts` with the project's Node. Plain JavaScript for any version of Node, because that one may not be installed yet.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

process.exitCode = (await install()) ? await startServers() : 1;

/** Runs `npm ci` if necessary. Returns whether the packages are installed. */
async function install() {
  const installed = join(root, 'node_modules', '.package-lock.json');
  const lock = join(root, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return true;
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  console.log('Installing the packages (npm ci; half a minute to a minute the first time)');
  const ticker = setInterval(() => console.log(`  … ${seconds()} s`), 10_000);
  const code = await run('npm', ['ci'], { cwd: root });
  clearInterval(ticker);
  if (code === 0) console.log(`  done in ${seconds()} s`);
  else console.error('npm ci failed, see its output above. Nothing was started.');
  return code === 0;
}

function startServers() {
  // A new process looks `node` up again: npm puts node_modules/.bin on the path before it exists.
  return run('node', [join(root, 'scripts', 'serve', 'main.ts'), 'start', ...process.argv.slice(2)], { cwd: root });
}
