import { expect, onTestFinished, test } from 'vitest';
import { createStore } from '../../../src/jobs/store/sql-store.ts';
import { openSqlite } from '../../../src/jobs/store/sqlite.ts';
import { FolderMemory } from '../../../src/jobs/work/folder-memory.ts';
import { recoverLogs } from '../../../src/jobs/work/recover.ts';
import { SendLog } from '../../../src/jobs/work/send-log.ts';
import { claim, newWorker, planKeys, statesOf, temporaryFolder } from '../store/stores.ts';

test('in a file that was put back, a worker with a log of the old place is dead, and its rows are in doubt', async () => {
  const folder = temporaryFolder();
  const store = createStore(openSqlite(folder));
  onTestFinished(() => store.close());
  await store.create();
  const memory = await FolderMemory.open(folder);
  onTestFinished(() => memory.close());
  const job = await planKeys(store, ['a', 'b']);
  const [dead, alive] = [await newWorker(store), await newWorker(store)];
  await claim(store, job, dead, 1);
  await claim(store, job, alive, 1);
  await (await SendLog.create(folder, dead, 'the old place')).close(false);
  const log = await SendLog.create(folder, alive, await store.place());
  onTestFinished(() => log.close(true));
  await recoverLogs({ store, memory, folder }, await store.place());
  await store.beat(alive);
  expect(await statesOf(store, job)).toEqual({ a: 'doubt', b: 'claimed' });
});
