import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { keyVariable } from '../../../scripts/samples/parts.ts';
import type { Outcome } from './runner.ts';

type Ended = Pick<Outcome, 'error' | 'printed' | 'warnings'>;

/**
 * Runs programs one after another in a thread, without a key, and returns the result of each. Loading the package takes longer
 * than most programs run. A program that fails ends the thread; those after it run in another one.
 *
 * @param limit - the longest that a program may take, in milliseconds
 */
export async function runTogether(files: readonly string[], limit = 20_000): Promise<Ended[]> {
  const ended: Ended[] = [];
  while (ended.length < files.length) ended.push(...(await runUntilFailure(files.slice(ended.length), limit)));
  return ended;
}

async function runUntilFailure(files: readonly string[], limit: number): Promise<Ended[]> {
  const { [keyVariable]: _, ...env } = process.env;
  const mark = `-- ${randomUUID()}`;
  const worker = new Worker(new URL('./each-in-turn.ts', import.meta.url), {
    workerData: { files, mark },
    env,
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  let failure: unknown;
  worker.once('error', (error) => {
    failure = error;
  });
  const stop = (): void => {
    failure = new Error(`It did not end within ${limit} ms`);
    void worker.terminate();
  };
  let timer = setTimeout(stop, limit);
  worker.on('message', () => {
    clearTimeout(timer);
    timer = setTimeout(stop, limit);
  });
  const exit = new Promise<number>((resolve) => worker.once('exit', resolve));
  const [output, errors, code] = await Promise.all([text(worker.stdout), text(worker.stderr), exit]);
  clearTimeout(timer);
  const printed = partsOf(output, mark);
  const warnings = partsOf(errors, mark);
  const ended = printed.map((lines, index) => ({ error: undefined, printed: lines, warnings: warnings[index] ?? [] }));
  if (failure === undefined && code === 0) return ended;
  const error = `${failure ?? code}: ${output}${errors}`;
  return [...ended.slice(0, -1), { printed: [], warnings: [], ...ended.at(-1), error }];
}

/** The lines after each mark. */
function partsOf(text: string, mark: string): string[][] {
  return text
    .split(`${mark}\n`)
    .slice(1)
    .map((part) => (part === '' ? [] : part.trimEnd().split('\n')));
}
