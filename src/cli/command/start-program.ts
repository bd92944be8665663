import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { exitCodes } from './exit-codes.ts';

/** The modules of the programs that `carillon` starts. */
const modules = { sandbox: 'carillon-sandbox/command', jobs: 'carillon-jobs/command', mcp: '#carillon-mcp' } as const;

/** Name of a program that has its own command. */
export type ProgramName = keyof typeof modules;

/**
 * Runs another command in its own process, with the same terminal and signals.
 *
 * @param profile - value of `--profile`
 */
export async function startProgram(program: ProgramName, args: readonly string[], profile?: string): Promise<number> {
  const child = spawn(process.execPath, [fileOf(program), ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...(profile !== undefined && { CARILLON_PROFILE: profile }) },
  });
  // The terminal sends Ctrl+C to both processes. Other signals are passed on.
  const ignore = (): void => {};
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on('SIGINT', ignore).on('SIGTERM', pass);
  const [code, signal] = await once(child, 'exit');
  process.off('SIGINT', ignore).off('SIGTERM', pass);
  if (typeof code === 'number') return code;
  return signal === 'SIGINT' ? exitCodes.interrupted : exitCodes.unexpected;
}

/** Resolves to the help of another command. */
export async function helpOfProgram(program: ProgramName, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [fileOf(program), ...args, '--help'], { stdio: ['ignore', 'pipe', 'ignore'] });
  return await text(child.stdout);
}

function fileOf(program: ProgramName): string {
  return fileURLToPath(import.meta.resolve(modules[program]));
}
