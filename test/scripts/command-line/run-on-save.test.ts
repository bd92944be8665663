import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runOnSave } from '../../../scripts/command-line/run-on-save.ts';

const files = ['spec/crm.yaml', 'spec/rules/shared/a.yaml', 'guides/deals.md'];

function watched() {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-watch-'));
  mkdirSync(join(folder, 'spec', 'rules', 'shared'), { recursive: true });
  mkdirSync(join(folder, 'guides'));
  for (const file of files) writeFileSync(join(folder, file), '');
  const stop = new AbortController();
  onTestFinished(() => {
    stop.abort();
    rmSync(folder, { recursive: true });
  });
  const run = vi.fn(async () => undefined);
  runOnSave([join(folder, 'spec'), join(folder, 'guides')], run, stop.signal);
  return { folder, run };
}

test.each(files)('runs after each save of %s, also by editors that replace the file', async (file) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { folder, run } = watched();
  expect(run).toHaveBeenCalledTimes(1);
  const path = join(folder, file);
  for (const save of [
    () => writeFileSync(path, 'one'),
    () => {
      writeFileSync(`${path}~`, 'two');
      renameSync(`${path}~`, path);
    },
    () => {
      writeFileSync(`${path}~`, 'three');
      renameSync(`${path}~`, path);
    },
    () => writeFileSync(path, 'four'),
  ]) {
    const before = run.mock.calls.length;
    save();
    await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(100);
    expect(run.mock.calls.length).toBeGreaterThan(before);
  }
});
