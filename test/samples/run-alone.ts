import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { keyVariable } from '../../scripts/samples/parts.ts';
import type { Outcome } from './runner.ts';

/**
 * Runs a program in a thread with modules, globals, output and an environment of its own, without a key. A thread ends as a
 * process does, when nothing is left to do, and starts sooner.
 *
 * @param limit - the longest that the program may take, in milliseconds
 */
export async function runAlone(file: string, limit = 20_000): Promise<Pick<Outcome, 'error' | 'printed' | 'warnings'>> {
  const { [keyVariable]: _, ...env } = process.env;
  const worker = new Worker(file, { env, execArgv: [], stdout: true, stderr: true });
  let failure: unknown;
  worker.once('error', (error) => {
    failure = error;
  });
  const timer = setTimeout(() => {
    failure = new Error(`It did not end within ${limit} ms`);
    void worker.terminate();
  }, limit);
  const ended = new Promise<number>((resolve) => worker.once('exit', resolve));
  const [output, errors, code] = await Promise.all([text(worker.stdout), text(worker.stderr), ended]);
  clearTimeout(timer);
  const error = failure !== undefined || code !== 0 ? `${failure ?? code}: ${output}${errors}` : undefined;
  return { error, printed: linesOf(output), warnings: linesOf(errors) };
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.trimEnd().split('\n');
}
