import { search } from '../catalogue/search.ts';
import { exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { commandLine } from './names.ts';

/** Prints the methods that fit the words. Returns the exit code. */
export async function searchMethods(words: string, io: Io): Promise<number> {
  const found = search(words).map((method) => ({ line: commandLine(method.words), ...method }));
  if (found.length === 0) {
    io.note(`No method fits '${words}'. carillon --help shows all groups.\n`);
    return exitCodes.notFound;
  }
  const longest = Math.max(...found.map(({ line }) => line.length));
  const rows = found.map(({ line, summary, effect }) => `${line.padEnd(longest)}  ${effect.padEnd(6)}  ${summary}\n`);
  await io.write(rows.join(''));
  return exitCodes.done;
}
