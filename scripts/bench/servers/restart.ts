import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from './targets.ts';

export interface Restart {
  seconds: number;
  /** Processor time until then. `undefined` where the system does not tell. */
  processorSeconds: number | undefined;
  /** The most memory that the process has had, in bytes. `undefined` where the system does not tell. */
  peakBytes: number | undefined;
}

/** Runs with a new folder, which goes afterwards. */
export async function withFolder<Result>(act: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-bench-'));
  try {
    return await act(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts the sandbox on a folder that has this many contacts, and measures until it answers. */
export function measureRestart(contacts: number): Promise<Restart> {
  return withFolder(async (folder) => {
    const first = await startSandbox(['--quiet', '--data', folder, '--seed', String(contacts)]);
    await first.close();
    const started = performance.now();
    const second = await startSandbox(['--quiet', '--data', folder]);
    const seconds = (performance.now() - started) / 1_000;
    const [peakBytes, processorSeconds] = [await readPeak(second.pid), await readProcessorTime(second.pid)];
    await second.stop();
    return { seconds, processorSeconds, peakBytes };
  });
}

async function readPeak(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
}

/** Linux counts the time of all threads of a process in hundredths of a second. */
async function readProcessorTime(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The name of the program, in parentheses, may contain spaces.
  const fields = status?.slice(status.lastIndexOf(')') + 2).split(' ');
  return fields && (Number(fields[11]) + Number(fields[12])) / 100;
}
