import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { exitCodes } from './exit-codes.ts';

/** The modules of the programs that `carillon` starts. Users install the package `carillon-jobs` if they need it. */
const modules = { sandbox: 'carillon-sandbox/command', jobs: 'carillon-jobs/command', mcp: '#carillon-mcp' } as const;

/** A program with its own command. */
export type ProgramName = keyof typeof modules;

/**
 * Runs another command in its own process, with the same terminal and signals.
 *
 * @param profile - value of `--profile`
 * @param find - finds the file of a module of this package or of the current folder
 */
export async function startProgram(
  program: ProgramName,
  args: readonly string[],
  profile?: string,
  find: (module: string) => string = findModule,
): Promise<number> {
  let file: string;
  try {
    file = find(modules[program]);
  } catch {
    process.stderr.write(`carillon: this needs another package: npm install carillon-${program}\n`);
    return exitCodes.configuration;
  }
  const child = spawn(process.execPath, [file, ...args], {
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

/** Resolves to the help of another command, or to an empty text if it is not installed. */
export async function helpOfProgram(program: ProgramName, args: readonly string[]): Promise<string> {
  try {
    const child = spawn(process.execPath, [findModule(modules[program]), ...args, '--help'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return await text(child.stdout);
  } catch {
    return '';
  }
}

/** Finds a module beside this package, or in the project of the user if this package is installed globally. */
function findModule(module: string): string {
  try {
    return fileURLToPath(import.meta.resolve(module));
  } catch {
    return createRequire(join(process.cwd(), 'package.json')).resolve(module);
  }
}
