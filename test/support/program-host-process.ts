/**
 * Runs programs one after another, each when the one before has nothing left to do, as a process would end. What a program
 * leaves unhandled, or its own `process.exit()`, ends this process, as it would end the program's own.
 */
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Order } from './program-host.ts';

const globals = listGlobals();
let runs = 0;
let mark = '';
let hasEnded = false;

process.on('disconnect', () => process.exit());
process.on('message', async ({ file, cwd, env, endMark }: Order) => {
  mark = endMark;
  process.channel?.unref();
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  runs += 1;
  hasEnded = false;
  // A new module each time, also from the same file.
  await import(`${pathToFileURL(file).href}?run=${runs}`);
  hasEnded = true;
});

process.on('beforeExit', () => {
  // Node has 13 for a program that still awaits something when nothing is left to do.
  const code = hasEnded ? Number(process.exitCode ?? 0) : 13;
  process.exitCode = undefined;
  process.removeAllListeners('SIGINT');
  // What it has changed for all must not reach the next program, which gets another process.
  if (!isDeepStrictEqual(listGlobals(), globals)) process.exit(code);
  for (const stream of [process.stdout, process.stderr]) stream.write(mark);
  process.channel?.ref();
  process.send?.(code);
});

/** The globals that programs see. Names that begin with underscores are the registries of packages. */
function listGlobals(): [string, unknown][] {
  const names = Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith('__'));
  return names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
}
