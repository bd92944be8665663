import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { FileStore } from '../../../src/sandbox/file-store/file-store.ts';
import {
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  type Store,
  type StoredChange,
} from '../../../src/sandbox/index.ts';
import { FolderInUseError } from '../../../src/shared/lock.ts';
import { deal, send } from '../raw.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-store-'));
  return () => rmSync(folder, { recursive: true, force: true });
});

async function open(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = createSandbox({ ...options, store: await FileStore.open(folder) });
  await sandbox.ready.catch(async (error: unknown) => {
    await sandbox.close().catch(() => undefined);
    throw error;
  });
  return sandbox;
}

/** The file that grows. */
function journal(): string {
  return join(
    folder,
    readdirSync(folder)
      .filter((name) => name.startsWith('journal'))
      .at(-1) ?? '',
  );
}

async function createDeal(sandbox: Sandbox): Promise<number> {
  return (await (await send(sandbox, 'POST /crm/v1/deals', { body: deal })).json()).data.id;
}

test('data and clock last; faults and log do not', async () => {
  const first = await open({ control: true });
  const id = await createDeal(first);
  await send(first, 'DELETE /crm/v1/deals/501');
  await send(first, 'POST /__sandbox/clock/freeze', { body: { at: Date.UTC(2026, 10, 5) } });
  first.faults.add({ status: 500 });
  const { state } = first.snapshot();
  await first.close();
  const second = await open({ seed: 50 });
  expect(second.snapshot().state).toEqual(JSON.parse(JSON.stringify(state)));
  expect([second.state.crm.deals.has(id), second.state.crm.deals.has(501)]).toEqual([true, false]);
  expect([second.clock.now(), second.faults.list(), second.requests]).toEqual([Date.UTC(2026, 10, 5), [], []]);
  await second.close();
});

test('snapshots with a name last, also long ones, and a reset and a new journal keep them', async () => {
  const first = await open({ control: true, seed: 400 });
  const take = (sandbox: Sandbox, name: string) => send(sandbox, `PUT /__sandbox/snapshots/${name}`);
  for (const name of ['gone', 'before%20import', 'replaced']) expect((await take(first, name)).status).toBe(204);
  expect(JSON.stringify(first.snapshot()).length).toBeGreaterThan(300_000);
  await send(first, 'DELETE /crm/v1/deals/501');
  await send(first, 'POST /__sandbox/reset', { body: { seed: false } });
  await take(first, 'replaced');
  await send(first, 'DELETE /__sandbox/snapshots/gone');
  await first.close();

  const second = await open({ control: true });
  const names = async (sandbox: Sandbox) => (await send(sandbox, 'GET /__sandbox/snapshots')).json();
  expect(await names(second)).toEqual(['before import', 'replaced']);
  expect((await send(second, 'POST /__sandbox/snapshots/before%20import/restore')).status).toBe(204);
  expect([second.state.crm.deals.has(501), second.state.crm.contacts.size > 400]).toEqual([true, true]);
  const { state } = await (await send(second, 'GET /__sandbox/snapshots/replaced')).json();
  expect(state.crm.contacts).toEqual([]);
  await second.close();
});

test('initial data and a reset that are too large for one write are stored in parts, before the reply', async () => {
  const first = await open({ control: true, seed: 4_000 });
  await send(first, 'POST /__sandbox/reset', { body: { seed: 3_900 } });
  const id = await createDeal(first);
  const lines = readdirSync(folder).flatMap((name) =>
    name.endsWith('.jsonl') ? readFileSync(join(folder, name), 'utf8').split('\n') : [],
  );
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(1_000_000);
  const state = JSON.parse(JSON.stringify(first.snapshot().state));
  await first.close();
  const second = await open();
  expect(second.state.crm.deals.has(id)).toBe(true);
  expect(second.snapshot().state).toEqual(state);
  await second.close();
});

test('a snapshot with a name that a compaction has written is read again', async () => {
  let stored: StoredChange[] = [];
  const store = (): Store => ({
    read: () => [...stored],
    async write(changes) {
      stored.push(...changes);
    },
    async replace(changes) {
      stored = [...changes];
    },
    get isFragmented() {
      return stored.length > 200;
    },
    async close() {},
  });
  const first = createSandbox({ control: true, store: store() });
  await send(first, 'PUT /__sandbox/snapshots/mine');
  for (let count = 0; count < 100; count += 1) await createDeal(first);
  expect(stored.length).toBeLessThan(300);
  const second = createSandbox({ control: true, store: store() });
  expect((await send(second, 'POST /__sandbox/snapshots/mine/restore')).status).toBe(204);
  expect([...second.state.crm.deals.keys()]).toEqual([501]);
});

test('a reply is sent when the write is in the file, and a refused request writes nothing', async () => {
  const sandbox = await open();
  const id = await createDeal(sandbox);
  expect(readFileSync(journal(), 'utf8')).toContain(`["","crm.deals",${id},{`);
  const { size } = statSync(journal());
  await send(sandbox, 'POST /crm/v1/deals', { body: { ...deal, stepId: 99 } });
  await send(sandbox, 'GET /crm/v1/deals/501');
  expect(statSync(journal()).size).toBe(size);
  await sandbox.close();
});

test('reset and restore last', async () => {
  const first = await open();
  const before = first.snapshot();
  await createDeal(first);
  first.reset({ seed: 20 });
  await first.close();
  const second = await open();
  expect(second.state.crm.contacts.size).toBe(22);
  second.restore(before);
  await second.close();
  const third = await open();
  expect(third.snapshot().state).toEqual(JSON.parse(JSON.stringify(before.state)));
  await third.close();
});

test('every possible torn last line is cut off, and all lines before it are kept', async () => {
  const first = await open();
  const ids = [await createDeal(first), await createDeal(first)];
  await first.close();
  const bytes = readFileSync(journal());
  const last = bytes.lastIndexOf(0x0a, bytes.length - 2) + 1;
  for (let end = bytes.length - 1; end >= last; end -= Math.ceil((bytes.length - last) / 12)) {
    writeFileSync(journal(), bytes);
    truncateSync(journal(), end);
    const again = await open();
    expect(ids.map((id) => again.state.crm.deals.has(id))).toEqual([true, false]);
    expect(await createDeal(again)).toBe(ids[1]);
    await again.close();
  }
});

test('a damaged line in the middle is an error that names the file and the line', async () => {
  const first = await open();
  await createDeal(first);
  await first.close();
  appendFileSync(journal(), '[["","crm.deals"\n[]\n');
  await expect(open()).rejects.toThrow(/journal-000000\.jsonl, line 3: /);
});

test('two sandboxes cannot use one folder at the same time, and the next one can', async () => {
  const first = await open();
  await expect(FileStore.open(folder)).rejects.toThrow(FolderInUseError);
  await first.close();
  await (await open()).close();
});

test('a snapshot replaces the journals, while writes go on', async () => {
  const store = await FileStore.open(folder);
  const sandbox = createSandbox({ store });
  await sandbox.ready;
  const ids: number[] = [await createDeal(sandbox)];
  const replacing = store.replace(stored(sandbox));
  for (let count = 0; count < 20; count += 1) ids.push(await createDeal(sandbox));
  await replacing;
  expect(readdirSync(folder).filter((name) => name !== 'lock')).toEqual([
    'journal-000001.jsonl',
    'snapshot-000001.jsonl',
  ]);
  await sandbox.close();
  const again = await open();
  expect(ids.filter((id) => !again.state.crm.deals.has(id))).toEqual([]);
  await again.close();
});

function stored(sandbox: Sandbox) {
  const { deals } = sandbox.state.crm;
  return [...deals].map(([key, value]) => ({ world: '', table: 'crm.deals', key, value }));
}

test('a journal that has grown large is replaced, so that a million changes do not fill the disk', async () => {
  const sandbox = await open();
  const text = 'x'.repeat(60_000);
  for (let count = 0; count < 600; count += 1)
    await send(sandbox, 'PUT /crm/v1/deals/501', {
      body: { ...deal, price: count, status: 2, failReasonComment: text },
    });
  await sandbox.close();
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(25_000_000);
});

test('once a write has failed, further requests are refused: their changes would be lost', async () => {
  const store = await FileStore.open(folder);
  const sandbox = createSandbox({ store });
  await sandbox.ready;
  store.write = () => Promise.reject(new Error('ENOSPC: no space left on device'));
  await expect(createDeal(sandbox)).rejects.toThrow('could not store a change: ENOSPC');
  await expect(send(sandbox, 'GET /crm/v1/deals/501')).rejects.toThrow('ENOSPC');
  await sandbox.close().catch(() => undefined);
});
