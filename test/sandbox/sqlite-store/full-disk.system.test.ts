import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { SqliteStore } from '../../../src/sandbox/store/sqlite-store.ts';

test('a full disk rejects changes only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-full-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // Only a disk of its own can be full. Some machines do not permit mounts.
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]).status !== 0) return;
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
  const sandbox = createSandbox({ store: await SqliteStore.open(folder), control: true });
  const send = async (method: string, path: string, body?: object): Promise<number> => {
    const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await sandbox.fetch(`http://127.0.0.1:4012${path}`, init)).status;
  };
  const note = () => send('POST', '/crm/v1/deals/501/comments', { message: 'x'.repeat(60_000) });
  writeFileSync(join(folder, 'ballast'), Buffer.alloc(1_000_000));
  let status = await note();
  const first = status;
  for (let count = 0; status === first && count < 100; count += 1) status = await note();
  expect([first, status]).toEqual([200, 507]);
  expect(await send('GET', '/crm/v1/contacts/3001')).toBe(200);
  expect(await send('GET', '/__sandbox/state')).toBe(200);
  rmSync(join(folder, 'ballast'));
  expect(await note()).toBe(200);
  await sandbox.close();
});
