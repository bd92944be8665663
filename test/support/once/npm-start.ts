import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

/** Where `npm start` builds the docs. */
export const siteFolder = join(repositoryRoot, 'site');

export interface StartedProgram {
  child: ChildProcess;
  /** What it has printed so far. */
  output: () => string;
  /** Resolves to its exit code. */
  ended: Promise<number | null>;
}

/** `npm start`, without npm. Whoever starts it ends it. */
export function spawnStart(...args: string[]): StartedProgram {
  const program = join(repositoryRoot, 'scripts', 'serve', 'main.ts');
  const child = spawn(process.execPath, [program, 'start', ...args], { cwd: repositoryRoot });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  return { child, output: () => text, ended: new Promise((resolve) => child.on('exit', resolve)) };
}

/** Starts all on free ports, and waits until all is ready. In a fresh clone, it replaces an old site. */
export async function startAll(): Promise<StartedProgram> {
  if (!existsSync(siteFolder)) {
    await mkdir(siteFolder);
    for (const file of ['index.html', 'gone.html']) await writeFile(join(siteFolder, file), 'the old site');
  }
  const started = spawnStart('--port', '0');
  await new Promise<void>((resolve, reject) => {
    started.child.stdout?.on('data', () => {
      if (started.output().includes('Ctrl+C ends it.')) resolve();
    });
    started.child.on('exit', () => reject(new Error(`npm start has ended:\n${started.output()}`)));
  });
  return started;
}
