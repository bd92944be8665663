/**
 * Work that test files need before they start, such as a build. It runs beside the tests that do not need it: Vitest waits for global
 * setups one after another, and starts no test before all are done.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Running work. */
export interface Preparation {
  /** For {@link whenReady}. A folder, because workers are processes. */
  folder: string;
  /** Waits for the end of the work. */
  end(): Promise<void>;
}

/** Starts work and does not wait for it. */
export function prepare(work: () => Promise<void>): Preparation {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-prepared-'));
  const ended = work().then(
    () => writeFileSync(join(folder, 'ready'), ''),
    (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      console.error(reason);
      writeFileSync(join(folder, 'failed'), reason);
    },
  );
  return {
    folder,
    async end() {
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Waits for work that another process has started.
 *
 * @throws `Error` with the reason if the work failed
 */
export async function whenReady(folder: string): Promise<void> {
  while (!existsSync(join(folder, 'ready'))) {
    if (existsSync(join(folder, 'failed'))) throw new Error(readFileSync(join(folder, 'failed'), 'utf8'));
    await setTimeout(100);
  }
}
