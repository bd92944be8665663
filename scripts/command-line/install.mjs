import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Runs `npm ci` if packages are missing or older than the lockfile. Returns whether they are installed. */
export async function install(root) {
  const installed = join(root, 'node_modules', '.package-lock.json');
  const lock = join(root, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return true;
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  console.log('Installing the packages (npm ci; half a minute to a minute the first time)');
  const ticker = setInterval(() => console.log(`  … ${seconds()} s`), 10_000);
  const code = await runNpm(['ci'], root);
  clearInterval(ticker);
  if (code === 0) console.log(`  done in ${seconds()} s`);
  else console.error('npm ci failed, see its output above. The command was not started.');
  return code === 0;
}

function runNpm(args, cwd) {
  return new Promise((resolve) => {
    const child = spawn('npm', args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
    child.on('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
