import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../spec/files.ts';

const run = promisify(execFile);
const options = { timeout: 300_000, maxBuffer: 2 ** 26 };

/** Does something with a checkout of a revision, which has the packages of this one. */
export async function withRevision<Result>(
  revision: string,
  act: (folder: string) => Promise<Result>,
): Promise<Result> {
  const root = await mkdtemp(join(tmpdir(), 'carillon-revision-'));
  const folder = join(root, 'checkout');
  const git = (...args: string[]): Promise<unknown> => run('git', args, { ...options, cwd: repositoryRoot });
  try {
    await git('worktree', 'add', '--detach', folder, revision);
    await symlink(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'));
    return await act(folder);
  } finally {
    await git('worktree', 'remove', '--force', folder).catch(() => undefined);
    await rm(root, { recursive: true, force: true });
  }
}

/** Builds a checkout, and measures it with its own scripts. A figure over budget is a figure too. */
export async function budgetsTable(folder: string): Promise<string> {
  await run(process.execPath, [join(folder, 'scripts', 'build.ts')], { ...options, cwd: folder });
  const args = [join(folder, 'scripts', 'budgets.ts')];
  return run(process.execPath, args, { ...options, cwd: folder }).then(
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
