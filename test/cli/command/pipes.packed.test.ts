import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';

const command = join(inject('installed'), '.bin', 'carillon');
const tag = (value: string): string => `'${command}' crm tags create --name ${value} --dry-run`;

/** Runs a line of bash, which makes the pipes and descriptors. */
function bash(line: string): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, CARILLON_BASE_URL: 'https://api.example.com', CARILLON_API_KEY: 'any' },
  });
  return { status, stdout, stderr };
}

describe.skipIf(process.platform === 'win32')('a flag with @', () => {
  it.each([
    ['standard input', `printf Guests | ${tag('@/dev/stdin')}`],
    ['a process substitution', tag('@<(printf Guests)')],
    ['a descriptor', `${tag('@/dev/fd/7')} 7< <(printf Guests)`],
    ['a redirected file', `${tag('@/dev/stdin')} <<< Guests`],
  ])('reads %s', (_, line) => {
    const { status, stdout, stderr } = bash(line);
    expect([status, stderr]).toEqual([0, expect.stringMatching(/--name is the content of \S+ \(\d bytes\)/)]);
    expect(stdout).toMatch(/"name": "Guests(?:\\n)?"/);
  });

  it('waits for a pipe only within the time limit', () => {
    const { status, stderr } = bash(`${tag('@/dev/fd/7 --timeout 1')} 7< <(exec sleep 20 2>/dev/null)`);
    expect([status, stderr]).toEqual([2, expect.stringContaining('/dev/fd/7 did not end within 1 seconds')]);
  });

  it('refuses a named pipe by path instead of waiting for it', () => {
    const { status, stderr } = bash(`d=$(mktemp -d) && mkfifo $d/p && ${tag('@$d/p')}; s=$?; rm -r $d; exit $s`);
    expect([status, stderr]).toEqual([2, expect.stringContaining('is a named pipe')]);
  });
});
