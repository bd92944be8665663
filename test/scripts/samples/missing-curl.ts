import { spawnSync } from 'node:child_process';

/** Why the curl samples are skipped, and what to do about it; `undefined` if Bash and a new enough curl are installed. */
export const missingCurl = findReason();

function findReason(): string | undefined {
  if (spawnSync('bash', ['--version']).status !== 0) return 'there is no bash';
  if (spawnSync('curl', ['--version']).status !== 0) return 'there is no curl: install it with `apt-get install curl`';
  // An unknown option is an error, even beside --version.
  const knows = spawnSync('curl', ['--fail-with-body', '--version']).status === 0;
  return knows ? undefined : 'this curl does not know --fail-with-body: install 7.76 or newer';
}
