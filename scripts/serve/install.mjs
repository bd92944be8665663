/**
 * Runs before `npm start`, the first command in a fresh clone: installs what is missing. Plain JavaScript for any version of
 * Node, because the version that the project uses is not installed yet.
 */
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const installed = join(root, 'node_modules', '.package-lock.json');

if (!isInstalled()) await install();

function isInstalled() {
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

async function install() {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  console.log('Installing what the tools need (npm ci; about a minute the first time)');
  const ticker = setInterval(() => console.log(`  … ${seconds()} s`), 10_000);
  const code = await run('npm', ['ci']);
  clearInterval(ticker);
  if (code !== 0) {
    console.error('npm ci failed; what it printed above says why. Nothing was started.');
    process.exit(code);
  }
  console.log(`  done in ${seconds()} s`);
}

/** The terminal sends Ctrl+C to the child too. This process waits until it ends. */
function run(command, args) {
  const ignore = () => {};
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, ignore);
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    child.on('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on('exit', (code, signal) => {
      for (const name of ['SIGINT', 'SIGTERM']) process.off(name, ignore);
      resolve(code ?? (signal === 'SIGINT' ? 0 : 1));
    });
  });
}
