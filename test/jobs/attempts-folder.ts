import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder for the attempts' files of workers, until the test ends. */
export async function attemptsFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-attempts-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
