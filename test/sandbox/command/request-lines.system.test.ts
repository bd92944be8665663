import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RequestLines } from '../../../src/sandbox/command/request-lines.ts';

test('a reader that stops reading blocks nothing, and then gets the number of lines that it missed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-lines-'));
  const pipe = join(folder, 'pipe');
  // Node cannot create a named pipe.
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  onTestFinished(() => {
    closeSync(writer);
    closeSync(reader);
    rmSync(folder, { recursive: true });
  });
  const lines = new RequestLines(writer);
  const line = 'x'.repeat(20);
  // A pipe takes 64 kB, and these lines have 220 kB.
  for (let count = 0; count < 10_500; count += 1) lines.add(line);
  let text = '';
  const read = (): string => {
    const bytes = Buffer.alloc(65_536);
    try {
      for (let size = readSync(reader, bytes); size > 0; size = readSync(reader, bytes))
        text += bytes.toString('latin1', 0, size);
    } catch {
      // Nothing to read yet.
    }
    return text.slice(-40);
  };
  await expect
    .poll(read, { timeout: 25_000, interval: 5 })
    .toContain('… 500 more requests'.replace('…', '\u00e2\u0080\u00a6'));
  expect(text.match(/^x{20}$/gm)).toHaveLength(10_000);
});
