import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RowOutcome } from '../../../src/jobs/store/store.ts';
import { isSameBoot } from '../../../src/jobs/work/boot.ts';
import { LogError, readDeadLogs, readLog, SendLog } from '../../../src/jobs/work/send-log.ts';
import { temporaryFolder } from '../store/stores.ts';

const row = (number: number) => ({ job: 1, number, attempt: 1 });
const done = (number: number): RowOutcome => ({ ...row(number), worker: 7, state: 'done', results: { tag: number } });
async function dead(folder: string, place = 'here', living = new Set<number>()) {
  const logs = [];
  for await (const log of readDeadLogs(folder, place, living)) {
    logs.push(log);
    log.close(false);
  }
  return logs;
}

test('shows which requests may have left, and how they ended', async () => {
  const folder = temporaryFolder();
  const log = await SendLog.create(folder, 7, 'here');
  await log.begin(row(1), 'tag');
  await log.begin(row(2), 'tag');
  await log.end(done(2));
  await log.close(false);
  const [found] = await dead(folder);
  expect(found).toMatchObject({ workers: [7], isComplete: true });
  expect(found?.rows.get('1.1.1')).toMatchObject({ step: 'tag' });
  expect(found?.rows.get('1.2.1')).toMatchObject({ outcome: { state: 'done' } });
});

test('a log is dead only when its process has ended, whatever process IDs say', async () => {
  const folder = temporaryFolder();
  const log = await SendLog.create(folder, 7, 'here');
  expect(await dead(folder)).toEqual([]);
  await log.close(false);
  expect(await dead(folder)).toHaveLength(1);
});

test('a log of another place proves nothing here, and stays', async () => {
  const folder = temporaryFolder();
  await (await SendLog.create(folder, 7, 'there')).close(false);
  expect(await dead(folder, 'here')).toEqual([]);
  expect(await dead(folder, 'there')).toHaveLength(1);
});

test('after another start of the system, and with a line that cannot be read, missing lines prove nothing', async () => {
  const folder = temporaryFolder();
  const log = await SendLog.create(folder, 7, 'here');
  await log.begin(row(1), 'tag');
  await log.close(false);
  const path = join(folder, '7.log');
  const text = readFileSync(path, 'utf8');
  const [head = ''] = text.split('\n');
  const boot = JSON.parse(head)[3];
  writeFileSync(path, text.replace(boot, 'another boot'));
  expect(readLog(path, 'here')).toMatchObject({ isComplete: false });
  writeFileSync(path, text);
  appendFileSync(path, '["begin",1,2,\n["begin",1,3,1,"tag"]\n');
  expect(readLog(path, 'here')).toMatchObject({ isComplete: false });
});

test('the last line without its end was not complete, so its request did not leave', async () => {
  const folder = temporaryFolder();
  await (await SendLog.create(folder, 7, 'here')).close(false);
  appendFileSync(join(folder, '7.log'), '["begin",1,2,1,"ta');
  const found = readLog(join(folder, '7.log'), 'here');
  expect(found).toMatchObject({ isComplete: true });
  expect(found?.rows.size).toBe(0);
});

test('a boot without an ID is recognized by its start, within half a minute', () => {
  expect(isSameBoot('start 1000000', 'start 1029000')).toBe(true);
  expect(isSameBoot('start 1000000', 'start 1031000')).toBe(false);
  expect(isSameBoot('a', 'a')).toBe(true);
  expect(isSameBoot('a', 'start 1000000')).toBe(false);
});

test('a worker lives by each of its numbers while its log is locked', async () => {
  const folder = temporaryFolder();
  const log = await SendLog.create(folder, 7, 'here');
  log.as(8, 'here');
  const [living, ended] = [new Set<number>(), new Set<number>()];
  await dead(folder, 'here', living);
  expect(living).toEqual(new Set([7, 8]));
  await log.close(false);
  await dead(folder, 'here', ended);
  expect(ended).toEqual(new Set());
});

test('a log that a lost machine left empty has the worker of its name, and proves nothing', async () => {
  const folder = temporaryFolder();
  await (await SendLog.create(folder, 7, 'here')).close(false);
  writeFileSync(join(folder, '7.log'), '');
  expect(await dead(folder)).toMatchObject([{ workers: [7], isComplete: false }]);
});

test('an outcome of an earlier attempt does not hide the request of a later one', async () => {
  const folder = temporaryFolder();
  const log = await SendLog.create(folder, 7, 'here');
  const again = { ...row(1), attempt: 2 };
  await log.begin(again, 'tag');
  await log.end({ ...row(1), worker: 7, state: 'planned' });
  log.settled([{ ...row(1), state: 'planned' }]);
  const long = 'x'.repeat(10_000);
  for (let number = 2; number <= 300; number += 1) {
    for (const part of [false, true]) {
      await log.end({ ...done(number), reason: long });
      if (part) log.settled([done(number)]);
    }
  }
  await log.close(false);
  const [found] = await dead(folder);
  expect(found?.rows.get('1.1.2')).toMatchObject({ step: 'tag' });
});

test('a log that is written anew keeps what is open, with all its numbers', async () => {
  const folder = temporaryFolder();
  const log = await SendLog.create(folder, 7, 'here');
  await log.begin(row(0), 'tag');
  log.as(8, 'here');
  const long = 'x'.repeat(10_000);
  for (let number = 1; number <= 300; number += 1) {
    await log.begin(row(number), 'tag');
    await log.end({ ...done(number), reason: long });
    log.settled([done(number)]);
  }
  expect(statSync(log.path).size).toBeLessThan(2_000_000);
  await log.close(false);
  const [found] = await dead(folder);
  expect(found).toMatchObject({ workers: [7, 8], isComplete: true });
  expect(found?.rows.get('1.0.1')).toMatchObject({ step: 'tag' });
  expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
});

test('the lines of a turn are whole or none of their requests leaves, and a log that was full can be read', () => {
  const folder = temporaryFolder();
  const module = join(import.meta.dirname, '../../../src/jobs/work/send-log.ts');
  const program = `
    const { SendLog } = await import(${JSON.stringify(module)});
    const log = await SendLog.create(${JSON.stringify(folder)}, 7, 'here');
    let number = 0;
    const begin = (number) => log.begin({ job: 1, number, attempt: 1 }, 'tag');
    try {
      for (;;) {
        const begun = await Promise.allSettled([begin(number), begin(number + 1)]);
        for (const { reason } of begun) if (reason) throw reason;
        number += 2;
      }
    } catch (error) { console.log(error.name, number); }
    process.kill(process.pid, 'SIGKILL');`;
  // A file of at most 2 KB: the last lines do not fit.
  const { stdout } = spawnSync(
    'bash',
    [
      '-c',
      `ulimit -f 2; exec ${process.execPath} --no-warnings --conditions=carillon-source --input-type=module -e "$0"`,
      program,
    ],
    { encoding: 'utf8', env: { ...process.env, NODE_COMPILE_CACHE: '' } },
  );
  const [, name, count] = /^(\w+) (\d+)/.exec(stdout) ?? [];
  expect(name).toBe(LogError.name);
  const found = readLog(join(folder, '7.log'), 'here');
  expect(found?.isComplete).toBe(true);
  expect(found?.rows.size).toBe(Number(count));
});
