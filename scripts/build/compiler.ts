import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot } from '../spec/files.ts';

/**
 * TypeScript 7 takes a fifth of the CPU time of version 5, which the generators need. `npm run typecheck` uses version 7
 * too.
 */
const compiler = join(repositoryRoot, 'node_modules', 'typescript-7', 'bin', 'tsc');

/** Compiles a project. Resolves to the compiler's output, which is empty if there are no problems. */
export function runCompiler(project: string): Promise<string> {
  // A single checker avoids duplicate work, and a short process need not collect garbage.
  const args = [compiler, '--project', project, '--pretty', 'false', '--checkers', '1'];
  const env = { ...process.env, GOGC: 'off', GOMEMLIMIT: '1500MiB' };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: repositoryRoot, env, maxBuffer: 2 ** 26 }, (error, output, log) => {
      // The compiler exits with 1 or 2 if there are problems.
      if (error && error.code !== 1 && error.code !== 2) reject(new Error(`${error.message}\n${log}`));
      else resolve(output);
    });
  });
}
