import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a folder for workers' attempts files, and removes it after the test. */
export async function attemptsFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-attempts-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
