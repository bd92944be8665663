import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { formatLine, RequestLines } from '../../../src/sandbox/command/request-lines.ts';

const answered = (target: string, status = 200, headers: Record<string, string> = {}) => ({
  method: 'GET',
  target,
  status,
  header: (name: string) => headers[name] ?? null,
  milliseconds: 1.26,
});

test.each([
  ['method, path, status and time', answered('/crm/v1/users'), 'GET /crm/v1/users 200 1.3 ms'],
  [
    'the first rule that refused it',
    answered('/push/tasks', 422, { 'x-sandbox-rule': 'push-ttl; other' }),
    'GET /push/tasks 422 push-ttl 1.3 ms',
  ],
  [
    'the choice that made it fail',
    answered('/crm/v1/deals/9', 404, { 'x-sandbox-choice': 'unknown-record' }),
    'GET /crm/v1/deals/9 404 unknown-record 1.3 ms',
  ],
  [
    'no choice of a success',
    answered('/crm/v1/users', 200, { 'x-sandbox-choice': 'page' }),
    'GET /crm/v1/users 200 1.3 ms',
  ],
  ['that the connection was dropped', answered('/crm/v1/users', 0), 'GET /crm/v1/users dropped 1.3 ms'],
  ['no credential', answered('/a?access_token=hush&b=1'), 'GET /a?access_token=***&b=1 200 1.3 ms'],
  ['no character that controls the terminal', answered('/a\u001b[31m/ü'), 'GET /a?[31m/? 200 1.3 ms'],
  ['at most 200 characters of the path', answered(`/${'a'.repeat(300)}`), `GET /${'a'.repeat(199)}… 200 1.3 ms`],
])('the line of a request has %s', (_, request, line) => {
  expect(formatLine(request)).toBe(line);
});

function outputFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-lines-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('lines are written in order', async () => {
  const file = join(outputFolder(), 'lines');
  const output = openSync(file, 'w');
  onTestFinished(() => closeSync(output));
  const lines = new RequestLines(output);
  const written = () => readFileSync(file, 'utf8');
  lines.add('one');
  lines.add('two');
  await expect.poll(written).toBe('one\ntwo\n');
  lines.add('three');
  await expect.poll(written).toBe('one\ntwo\nthree\n');
});

test('a reader that stops reading blocks nothing, and then gets the number of lines that it missed', async () => {
  const pipe = join(outputFolder(), 'pipe');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  onTestFinished(() => {
    closeSync(writer);
    closeSync(reader);
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
