import { spawnSync } from 'node:child_process';

/** Why the curl samples are skipped, and how to run them. `undefined` if Bash and a recent curl are installed. */
export const missingCurl = findReason();

function findReason(): string | undefined {
  if (spawnSync('bash', ['--version']).status !== 0) return 'there is no bash';
  if (spawnSync('curl', ['--version']).status !== 0) return 'there is no curl: install it with `apt-get install curl`';
  // curl fails on an unknown option even with --version.
  const knows = spawnSync('curl', ['--fail-with-body', '--version']).status === 0;
  return knows ? undefined : 'this curl does not know --fail-with-body: install 7.76 or newer';
}
