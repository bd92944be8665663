import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../../spec/files.ts';

const run = promisify(execFile);
const options = { timeout: 300_000, maxBuffer: 2 ** 26 };

/**
 * The tables of figures of a revision and of the working tree. Both are built in the same folder, one after the other,
 * since the bundled commands contain paths.
 */
export async function measureBoth(revision: string): Promise<{ before: string; after: string }> {
  const root = await mkdtemp(join(tmpdir(), 'carillon-revision-'));
  const folder = join(root, 'checkout');
  const git = (...args: string[]): Promise<unknown> => run('git', args, { ...options, cwd: repositoryRoot });
  const link = (): Promise<void> => symlink(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'));
  try {
    await git('worktree', 'add', '--detach', folder, revision);
    await link();
    const before = await figuresTable(folder);
    await git('worktree', 'remove', '--force', folder);
    const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      ...options,
      cwd: repositoryRoot,
    });
    for (const file of stdout
      .trim()
      .split('\n')
      .filter((name) => existsSync(join(repositoryRoot, name)))) {
      await cp(join(repositoryRoot, file), join(folder, file));
    }
    await link();
    return { before, after: await figuresTable(folder) };
  } finally {
    await rm(root, { recursive: true, force: true });
    await git('worktree', 'prune');
  }
}

/** Builds a checkout, and measures it with its own scripts. A figure that grew too much is a figure too. */
async function figuresTable(folder: string): Promise<string> {
  const npm = (script: string) => run('npm', ['run', '--silent', script], { ...options, cwd: folder });
  await npm('build');
  return npm('budgets').then(
    ({ stdout }) => stdout,
    (error: { stdout?: string; stderr?: string }) => {
      if (error.stdout) return error.stdout;
      throw new Error(error.stderr?.trim() || String(error));
    },
  );
}

/** The lines of every `report.txt` that differ from a revision, without context. */
export async function reportDiff(revision: string): Promise<string> {
  const args = ['diff', '--unified=0', revision, '--', 'generated/*/report.txt'];
  const { stdout } = await run('git', args, { ...options, cwd: repositoryRoot });
  return stdout
    .split('\n')
    .filter((line) => /^[+-]/.test(line) && !line.startsWith('---'))
    .join('\n');
}
