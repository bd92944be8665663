import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { exitCodes } from './exit-codes.ts';

/** Runs another command of the package in its own process, with the same terminal and signals. */
export async function startProgram(file: string, program: string, args: readonly string[]): Promise<number> {
  if (!existsSync(file)) {
    process.stderr.write(`carillon: this version of the package has no command carillon-${program}.\n`);
    return exitCodes.configuration;
  }
  const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit' });
  // The terminal sends Ctrl+C to both; other signals are passed on.
  const ignore = (): void => {};
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on('SIGINT', ignore).on('SIGTERM', pass);
  const [code, signal] = await once(child, 'exit');
  process.off('SIGINT', ignore).off('SIGTERM', pass);
  if (typeof code === 'number') return code;
  return signal === 'SIGINT' ? exitCodes.interrupted : exitCodes.unexpected;
}
