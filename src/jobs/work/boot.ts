/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** Milliseconds by which two computations of the start of a system can differ. */
const tolerance = 30_000;

/** Identifies the current run of the operating system: its ID on Linux, otherwise the time of its start. */
export function bootNow(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return `start ${Math.round(Date.now() - uptime() * 1_000)}`;
  }
}

/** Whether two values are of the same run. A clock that was set counts as another one, which is the safe side. */
export function isSameBoot(one: string, other: string): boolean {
  const [first, second] = [one, other].map((boot) => Number(/^start (\d+)$/.exec(boot)?.[1]));
  if (first === undefined || second === undefined || Number.isNaN(first) || Number.isNaN(second)) return one === other;
  return Math.abs(first - second) <= tolerance;
}
