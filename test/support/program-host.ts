import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** A program, what it finds, and where. */
export interface HostedProgram {
  file: string;
  cwd: string;
  env: Record<string, string | undefined>;
}

export interface EndedProgram {
  stdout: string;
  stderr: string;
  code: number | null;
}

/** A program that takes longer is killed, and has failed. */
const patience = 30_000;

/** Programs whose tests or subscribers would outlive them. */
export function needsOwnProcess(code: string): boolean {
  return /'node:(?:test|diagnostics_channel)'/.test(code);
}

/** What the host is sent. */
export interface Order extends HostedProgram {
  /** It writes this to both outputs after the program. */
  endMark: string;
}

let host: ChildProcess | undefined;

/**
 * Runs a program in a process that all programs of this worker share: loading the package, `fetch` and the TypeScript of Node
 * takes longer than most programs run. Not for programs that are killed, that share something with another process, or that
 * register something with Node for the life of their process: see {@link needsOwnProcess}.
 */
export async function runHosted(program: HostedProgram): Promise<EndedProgram> {
  const child = host?.connected ? host : startHost();
  host = child;
  const endMark = randomUUID();
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('The host was started without pipes');
  const outputs = [readUntil(stdout, endMark), readUntil(stderr, endMark)] as const;
  const timer = setTimeout(() => child.kill('SIGKILL'), patience);
  const [code, printed, complained] = await Promise.all([report(child, { ...program, endMark }), ...outputs]);
  clearTimeout(timer);
  return { stdout: printed, stderr: complained, code };
}

function startHost(): ChildProcess {
  const child = fork(join(import.meta.dirname, 'program-host-process.ts'), {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.once('exit', () => {
    if (host === child) host = undefined;
  });
  // It ends with this process, which does not wait for it.
  child.unref();
  child.channel?.unref();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8');
    if (stream instanceof Socket) stream.unref();
  }
  return child;
}

/** Sends a program to the host. Returns its exit code, or the one of the host if the program ended that. */
function report(child: ChildProcess, order: Order): Promise<number | null> {
  return new Promise((resolve) => {
    const settle = (code: number | null): void => {
      child.off('exit', settle).off('message', settle);
      resolve(code);
    };
    child.once('exit', settle).once('message', settle).send(order);
  });
}

/** What a stream yields up to a mark, or to its end. */
function readUntil(stream: Readable, mark: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const settle = (): void => {
      stream.off('data', onData).off('end', settle);
      resolve(text.replace(mark, ''));
    };
    const onData = (chunk: string): void => {
      text += chunk;
      if (text.endsWith(mark)) settle();
    };
    stream.on('data', onData).once('end', settle);
  });
}
