import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox/index.ts';
import { SqliteStore } from '../../../src/sandbox/store/sqlite-store.ts';
import fc, { samples } from '../../fast-check.ts';
import { deal, send } from '../raw.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-store-'));
  return () => rmSync(folder, { recursive: true, force: true });
});

const file = () => join(folder, 'sandbox.sqlite');

async function open(options: SandboxOptions = {}): Promise<Sandbox> {
  const store = await SqliteStore.open(folder);
  try {
    return createSandbox({ ...options, store });
  } catch (error) {
    store.close();
    throw error;
  }
}

async function createDeal(sandbox: Sandbox): Promise<number> {
  return (await (await send(sandbox, 'POST /crm/v1/deals', { body: deal })).json()).data.id;
}

/** Data that a reload must restore. */
const contentOf = (sandbox: Sandbox): unknown => JSON.parse(JSON.stringify(sandbox.snapshot().state));

test('keeps data and clock, but neither log nor faults', async () => {
  const first = await open({ control: true, startAt: Date.UTC(2026, 10, 4) });
  const id = await createDeal(first);
  await send(first, 'DELETE /crm/v1/deals/501');
  await send(first, 'POST /__sandbox/clock/freeze', { body: { at: Date.UTC(2026, 10, 5) } });
  first.faults.add({ status: 500 });
  const { state } = first.snapshot();
  await first.close();
  const second = await open({ seed: 50, faults: [{ status: 503 }] });
  expect(second.snapshot().state).toEqual(JSON.parse(JSON.stringify(state)));
  expect([second.state.crm.deals.has(id), second.state.crm.deals.has(501)]).toEqual([true, false]);
  expect([second.clock.now(), second.requests]).toEqual([Date.UTC(2026, 10, 5), []]);
  expect(second.faults.list()).toMatchObject([{ status: 503 }]);
  await second.close();
});

test('keeps named snapshots, and a reset does not remove them', async () => {
  const first = await open({ control: true, seed: 40 });
  const take = (sandbox: Sandbox, name: string) => send(sandbox, `PUT /__sandbox/snapshots/${name}`);
  for (const name of ['gone', 'before%20import', 'replaced']) expect((await take(first, name)).status).toBe(204);
  await send(first, 'DELETE /crm/v1/deals/501');
  await send(first, 'POST /__sandbox/reset', { body: { seed: false } });
  await take(first, 'replaced');
  await send(first, 'DELETE /__sandbox/snapshots/gone');
  await first.close();

  const second = await open({ control: true });
  const names = async (sandbox: Sandbox) => (await send(sandbox, 'GET /__sandbox/snapshots')).json();
  expect(await names(second)).toEqual(['before import', 'replaced']);
  expect((await send(second, 'POST /__sandbox/snapshots/before%20import/restore')).status).toBe(204);
  expect([second.state.crm.deals.has(501), second.state.crm.contacts.size]).toEqual([true, 42]);
  const { state } = await (await send(second, 'GET /__sandbox/snapshots/replaced')).json();
  expect(state.crm.contacts).toEqual([]);
  await second.close();
});

test('stores a reset before the response', async () => {
  const first = await open({ control: true });
  expect((await send(first, 'POST /__sandbox/reset', { body: { seed: 200 } })).status).toBe(204);
  const id = await createDeal(first);
  const content = contentOf(first);
  await first.close();
  const second = await open();
  expect(second.state.crm.deals.has(id)).toBe(true);
  expect(contentOf(second)).toEqual(content);
  await second.close();
});

test('a new world is stored with its first request, and every later change too', async () => {
  const first = await open({ control: true, worlds: 'credential', seed: 30 });
  const ann = { token: 'ann' };
  await send(first, 'GET /crm/v1/users', ann);
  await send(first, 'POST /crm/v1/deals', { ...ann, body: deal });
  await send(first, 'POST /__sandbox/clock/freeze', { ...ann, body: {} });
  const [, name = ''] = first.worldNames();
  const shown = (sandbox: Sandbox) => [contentOf(sandbox.world(name)), sandbox.world(name).clock.isFrozen];
  const before = shown(first);
  await first.close();
  const second = await open({ worlds: 'credential' });
  expect(shown(second)).toEqual(before);
  expect(second.world(name).state.crm.contacts.size).toBe(32);
  await second.close();
});

test('a world that cannot be stored is rejected, and the next request succeeds', async () => {
  const sandbox = await open({ worlds: 'credential' });
  const write = vi.spyOn(SqliteStore.prototype, 'write').mockImplementation(() => {
    throw new Error('The disk is full.');
  });
  onTestFinished(() => write.mockRestore());
  const status = async () => (await send(sandbox, 'DELETE /crm/v1/deals/501', { token: 'ann' })).status;
  expect([await status(), sandbox.worldNames()]).toEqual([507, ['']]);
  write.mockRestore();
  expect([await status(), sandbox.worldNames().length]).toEqual([204, 2]);
  await sandbox.close();
});

test.each(['/', ' ', '.', ':', '|', '-', '#', '\\', '","', ''])(
  'a snapshot is never taken for a world whose name looks like its place: %j',
  async (between) => {
    const header = 'x-world';
    const first = await open({ control: true, worlds: { header }, seed: 0 });
    const joined = `a${between}b`;
    const call = (world: string, method: string, path: string, body?: object) =>
      first.fetch(`https://sandbox.example.com${path}`, {
        method,
        headers: { authorization: 'Bearer any', [header]: world },
        ...(body && { body: JSON.stringify(body) }),
      });
    const create = async (world: string, name: string) =>
      expect((await call(world, 'POST', '/crm/v1/boards', { name })).ok).toBe(true);
    await create('a', 'of the snapshot');
    expect((await call('a', 'PUT', '/__sandbox/snapshots/b')).status).toBe(204);
    await create('a', 'of a');
    await create(joined, 'of the other world');
    const names = (sandbox: Sandbox, world: string) =>
      Array.from(sandbox.world(world).state.crm.boards, ([, board]) => board.name);
    const before = [names(first, 'a'), names(first, joined)];
    expect(before).toEqual([
      ['Tasks', 'of the snapshot', 'of a'],
      ['Tasks', 'of the other world'],
    ]);
    await first.close();
    const second = await open({ control: true, worlds: { header }, seed: 0 });
    expect([names(second, 'a'), names(second, joined)]).toEqual(before);
    await second.close();
  },
);

test('a rejected request writes no data', async () => {
  const sandbox = await open();
  const write = vi.spyOn(SqliteStore.prototype, 'write');
  onTestFinished(() => write.mockRestore());
  await send(sandbox, 'POST /crm/v1/deals', { body: { ...deal, stepId: 99 } });
  await send(sandbox, 'GET /crm/v1/deals/501');
  expect(write).not.toHaveBeenCalled();
  await sandbox.close();
});

test('keeps resets and restores', async () => {
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
  expect(contentOf(third)).toEqual(JSON.parse(JSON.stringify(before.state)));
  await third.close();
});

const contact = (id: number, notes: readonly { id: number; text: string }[]) => ({
  record: { id, firstName: 'Ada' },
  createdAt: 1,
  updatedAt: 1,
  phones: [],
  emails: [],
  messengers: [],
  notes: notes.map(({ id: note, text }) => ({ id: note, text, createdAt: '2026-11-03' })),
});

test('keeps lists of any length in order, however they change', async () => {
  const notes = fc.uniqueArray(fc.record({ id: fc.integer({ min: 1, max: 14 }), text: fc.constantFrom('a', 'b') }), {
    selector: ({ id }) => id,
    maxLength: 14,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(notes), { minLength: 1, maxLength: 6 }), async (versions) => {
      rmSync(folder, { recursive: true, force: true });
      const sandbox = await open({ seed: false });
      const { contacts } = sandbox.state.crm;
      for (const version of versions)
        if (version) contacts.put(contact(7, version) as never);
        else contacts.delete(7);
      contacts.put(contact(3, []) as never);
      const content = contentOf(sandbox);
      await sandbox.close();
      const again = await open();
      expect(contentOf(again)).toEqual(content);
      await again.close();
    }),
    { numRuns: samples(15) },
  );
});

test('a long list in another order keeps items that did not change', async () => {
  const first = await open({ seed: false });
  const list = Array.from({ length: 12 }, (_, id) => ({ id, text: 'a note' }));
  const { contacts } = first.state.crm;
  const before = contacts.put(contact(7, list) as never) as ReturnType<typeof contact>;
  contacts.put({ ...before, notes: before.notes.toReversed() } as never);
  const content = contentOf(first);
  await first.close();
  const second = await open();
  expect(contentOf(second)).toEqual(content);
  await second.close();
});

test('text keys of any characters are distinct, and keep their order', async () => {
  const addresses = ['b', 'a', 'a\u0000', '\ud800', '\udc00', '\ufffd', '1', ' '];
  const first = await open();
  const entry = { comment: '', byLink: 0, byUser: 1, spamComplaint: 0, at: 1 };
  const { unsubscribed } = first.state.email;
  unsubscribed.clear();
  for (const email of addresses) unsubscribed.put({ ...entry, email });
  unsubscribed.put({ ...entry, email: 'b', at: 2 });
  await first.close();
  const second = await open();
  expect([...second.state.email.unsubscribed.keys()]).toEqual(addresses);
  await second.close();
});

test('only one sandbox at a time can use a folder', async () => {
  const first = await open();
  await expect(SqliteStore.open(folder)).rejects.toThrow(
    `${file()} is in use by another process. Stop that process first.`,
  );
  await first.close();
  await (await open()).close();
});

test('undoes a change that the store cannot keep, with status 507, and the next one succeeds', async () => {
  const sandbox = await open({ control: true });
  const before = contentOf(sandbox);
  const write = vi.spyOn(SqliteStore.prototype, 'write').mockImplementation(() => {
    throw new Error('The disk is full.');
  });
  const restore = () => void write.mockRestore();
  onTestFinished(restore);
  const rejected = await send(sandbox, 'POST /crm/v1/deals', { body: deal });
  expect([rejected.status, rejected.headers.get('x-sandbox-choice')]).toEqual([507, 'store-failed']);
  expect(await rejected.json()).toEqual({
    message: 'The sandbox could not store the change, so nothing has changed. The disk is full.',
  });
  for (const command of ['POST /__sandbox/reset', 'POST /__sandbox/clock/freeze', 'PUT /__sandbox/state'])
    expect((await send(sandbox, command, { body: {} })).status).toBe(507);
  expect((await send(sandbox, 'PUT /__sandbox/snapshots/a')).status).toBe(507);
  expect(() => sandbox.state.crm.deals.delete(501)).toThrow('The disk is full.');
  expect(() => sandbox.reset()).toThrow('The disk is full.');
  expect([contentOf(sandbox), sandbox.clock.isFrozen]).toEqual([before, false]);
  expect((await send(sandbox, 'GET /crm/v1/deals/501')).status).toBe(200);
  restore();
  const id = await createDeal(sandbox);
  await sandbox.close();
  const again = await open();
  expect(again.state.crm.deals.has(id)).toBe(true);
  await again.close();
});

/** How often a file is damaged. */
const rounds = samples(30);

/** Damages the closed file in many ways. Each time, opening it succeeds, or fails and leaves the file as it is. */
async function damageEach(damage: (bytes: Buffer, round: number) => Buffer): Promise<unknown[]> {
  const sandbox = await open({ control: true, seed: 30 });
  await send(sandbox, 'PUT /__sandbox/snapshots/mine');
  await sandbox.close();
  const whole = readFileSync(file());
  const outcomes: unknown[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    const damaged = damage(Buffer.from(whole), round);
    writeFileSync(file(), damaged);
    const failure = await open().then(
      (again) => again.close(),
      (error: Error) => error,
    );
    outcomes.push(failure?.name);
    if (failure) expect(readFileSync(file()).equals(damaged), `round ${round}: ${failure}`).toBe(true);
  }
  return outcomes;
}

test('a file with flipped bits opens, or is invalid and left as it is', async () => {
  const outcomes = await damageEach((bytes, round) => {
    const at = Math.floor((bytes.length * round) / rounds) + ((round * 37) % 400);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (round % 8));
    return bytes;
  });
  expect(['DatabaseFileError', 'StoredDataError', undefined]).toEqual(expect.arrayContaining(outcomes));
});

test('a truncated file is invalid and left as it is', async () => {
  const outcomes = await damageEach((bytes, round) => bytes.subarray(0, Math.floor((bytes.length * round) / rounds)));
  expect(new Set(outcomes)).toEqual(new Set(['DatabaseFileError']));
});

test.each([
  ['a field of another type', "json_set(value, '$.record.name', 7)", /deals.*record\.name/],
  ['a missing field', "json_remove(value, '$.place')", /deals.*place/],
  ['no JSON', 'substr(value, 2)', /is damaged/],
])('a file with a record that has %s is invalid and left as it is', async (_, expression, message) => {
  await (await open()).close();
  const database = new DatabaseSync(file());
  database.exec(`UPDATE record SET value = ${expression} WHERE name = 'crm.deals'`);
  database.close();
  const before = readFileSync(file());
  await expect(open()).rejects.toThrow(message);
  expect(readFileSync(file()).equals(before)).toBe(true);
});

test('a file of an earlier version is invalid, and left as it is', async () => {
  await (await open()).close();
  const database = new DatabaseSync(file());
  database.exec('PRAGMA user_version = 1');
  database.close();
  const before = readFileSync(file());
  await expect(open()).rejects.toThrow('was written by an earlier version of Carillon (format 1;');
  expect(readFileSync(file()).equals(before)).toBe(true);
});
