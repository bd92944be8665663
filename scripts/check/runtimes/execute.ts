import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { messageOf } from '../../../src/shared/message-of.ts';
import type { Run } from './matrix.ts';
import { userEnvironment } from './package.ts';

interface StepOutcome {
  /** Reason of the failure. `undefined` after success. */
  failure?: string;
  milliseconds: number;
}

/** One line of the report. */
export interface Step {
  name: string;
  run(): Promise<StepOutcome>;
}

/** In milliseconds. Far longer than the slowest command takes on a busy machine. */
const deadline = 120_000;

/** Runs one command of the matrix until it ends or the deadline passes. */
export async function execute({ command, environment, prints }: Run, folder: string): Promise<StepOutcome> {
  const start = performance.now();
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    cwd: folder,
    env: { ...userEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: deadline,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<string | undefined>((resolve) => {
    child.on('error', ({ message }) => resolve(message));
    child.on('close', (code, signal) => {
      if (code === 0) resolve(undefined);
      else resolve(signal ? `was ended by ${signal} (the deadline is ${deadline / 1000} s)` : `ended with ${code}`);
    });
  });
  const [problem, output, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  const milliseconds = performance.now() - start;
  const said = `${output}${errors}`.trim();
  if (problem) return { failure: `${problem}\n${said}`, milliseconds };
  const last = output.trim().split('\n').at(-1);
  return last === prints ? { milliseconds } : { failure: `should print '${prints}', not:\n${said}`, milliseconds };
}

/** Times an action, which throws if it fails. */
export async function measure(action: () => Promise<void>): Promise<StepOutcome> {
  const start = performance.now();
  try {
    await action();
  } catch (error) {
    const failure = messageOf(error);
    return { failure, milliseconds: performance.now() - start };
  }
  return { milliseconds: performance.now() - start };
}
