import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

/** What a process needed, as it says itself. */
export interface Usage {
  processorSeconds: number;
  /** The most memory that it had at any time. */
  peakBytes: number;
  /** The most that was in use on the heap right after a collection; 0 if nothing was collected on purpose. */
  liveBytes: number;
}

export interface Run {
  folder: string;
  env: Record<string, string>;
  /** File for the standard output. */
  output: string;
  /** Collect often, to see what is live. It takes time, so that time is then no result. */
  collect: boolean;
}

const usageModule = join(import.meta.dirname, 'report-usage.ts');

/** Runs a program from its start to its end, as a user does. */
export async function runProgram(
  args: readonly string[],
  { folder, env, output, collect }: Run,
): Promise<Usage & { seconds: number }> {
  const file = openSync(join(folder, output), 'w');
  const started = performance.now();
  const options = ['--import', usageModule, ...(collect ? ['--expose-gc'] : [])];
  const child = spawn(process.execPath, [...options, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', file, 'ignore', 'pipe'],
  });
  closeSync(file);
  const [, usage] = child.stdio.slice(2);
  if (!usage || !('read' in usage)) throw new Error('The process has no descriptor 3');
  const reported = json(usage);
  const [code] = await once(child, 'exit');
  const seconds = (performance.now() - started) / 1_000;
  if (code !== 0) throw new Error(`${args.slice(0, 4).join(' ')} exited with ${code}`);
  return { ...toUsage(await reported), seconds };
}

function toUsage(value: unknown): Usage {
  const read = (name: keyof Usage): number => {
    const figure: unknown = Reflect.get(Object(value), name);
    if (typeof figure !== 'number') throw new Error(`The process did not report ${name}`);
    return figure;
  };
  return {
    processorSeconds: read('processorSeconds'),
    peakBytes: read('peakBytes'),
    liveBytes: read('liveBytes'),
  };
}
