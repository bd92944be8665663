/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** Milliseconds by which two computations of a system's start time can differ. */
const tolerance = 30_000;

/** Identifies the current run of the operating system: by its boot ID on Linux, otherwise by its start time. */
export function bootNow(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return `start ${Math.round(Date.now() - uptime() * 1_000)}`;
  }
}

/** Whether two values identify the same run. If the clock was set in the meantime, the runs count as different, which is safe. */
export function isSameBoot(one: string, other: string): boolean {
  const [first, second] = [one, other].map((boot) => Number(/^start (\d+)$/.exec(boot)?.[1]));
  if (first === undefined || second === undefined || Number.isNaN(first) || Number.isNaN(second)) return one === other;
  return Math.abs(first - second) <= tolerance;
}
