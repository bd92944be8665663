import { createClient } from 'carillon';
import { expect, onTestFinished, test } from 'vitest';
import { sendEmails } from '../../../src/jobs/index.ts';
import { createStore } from '../../../src/jobs/store/sql-store.ts';
import { openSqlite } from '../../../src/jobs/store/sqlite.ts';
import type { Store } from '../../../src/jobs/store/store.ts';
import type { JobDefinition } from '../../../src/jobs/types.ts';
import { recheckOptOuts } from '../../../src/jobs/work/opt-out-recheck.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { planKeys, temporaryFolder } from '../store/stores.ts';

test('a list is not valid for rows that were planned again after they were passed', async () => {
  const store = createStore(openSqlite(temporaryFolder()));
  onTestFinished(() => store.close());
  await store.create();
  const id = await planKeys(store, ['a', 'b']);
  const sandbox = createSandbox();
  const api = createClient({
    baseUrl: 'http://127.0.0.1:4012',
    auth: { apiKey: 'any' },
    fetch: (url, init) => sandbox.fetch(new Request(url, init)),
  });
  const [found] = await store.jobs('tags');
  if (!found) throw new Error('no job');
  const recipients = { operation: 'sendEmailMessage', of: () => [] };
  const job = { ...found, definition: { ...(sendEmails as JobDefinition), recipients } };
  const signal = new AbortController().signal;
  const recheck = (changed: Partial<Store>) =>
    recheckOptOuts({ store: Object.assign(Object.create(store), changed), api, signal }, job, async () => undefined);
  const isRead = await recheck({
    async rows(of, filter) {
      const rows = await store.rows(of, filter);
      if (rows.length === 0) await store.changeJob(id, { checkedAt: null, checkingUntil: null });
      return rows;
    },
  });
  expect(isRead).toBe(false);
  expect(await store.jobs('tags')).toMatchObject([{ checkedAt: null }]);
  expect(await recheck({})).toBe(true);
  expect(await store.jobs('tags')).toMatchObject([{ checkedAt: expect.any(Number), checkingUntil: null }]);
});
