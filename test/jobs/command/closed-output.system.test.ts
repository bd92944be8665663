import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

test('a command exits without an error if its output is closed', async () => {
  const pipeline = 'set -o pipefail; "$0" src/jobs/bin/carillon-jobs.ts --help | true';
  // A function call would not show what Node does with output to a closed pipe.
  const shell = spawn('bash', ['-c', pipeline, process.execPath], {
    cwd: repositoryRoot,
    env: { ...process.env, NODE_OPTIONS: '--conditions=carillon-source' },
  });
  const [errors, [code]] = await Promise.all([text(shell.stderr), once(shell, 'exit')]);
  expect({ errors, code }).toEqual({ errors: '', code: 1 });
});
