import { spawnSync } from 'node:child_process';

/** Why tests with certificates are skipped, and how to run them. `undefined` if OpenSSL 3 is installed. */
export const missingOpenssl = findReason();

function findReason(): string | undefined {
  const { stdout = '', status } = spawnSync('openssl', ['version'], { encoding: 'utf8' });
  if (status !== 0) return 'there is no openssl: install it with `apt-get install openssl`';
  // Older versions, and LibreSSL, cannot sign with an authority in one command.
  return /^OpenSSL [3-9]/.test(stdout) ? undefined : `OpenSSL 3 or newer is needed, not ${stdout.trim()}`;
}
