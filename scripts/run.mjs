import { spawn } from 'node:child_process';

/** Runs a command whose output the user sees. Resolves to the exit code. Plain JavaScript for any version of Node. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', shell: process.platform === 'win32', ...options });
    // The terminal also sends Ctrl+C to the command. This process waits for it.
    process.on('SIGINT', () => {});
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    child.on('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
