import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Hindrance } from '../../../src/jobs/store/allowance.ts';
import { lifetimes } from '../../../src/jobs/store/postgres.ts';
import { toStorableString } from '../../../src/jobs/store/storable.ts';
import type { Store } from '../../../src/jobs/store/store.ts';
import type { StoredJob } from '../../../src/jobs/store/tables.ts';
import { claim, databases, newJob, newWorker, outcomeOf, planKeys, statesOf } from './stores.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `k${index}`);

const change = (column: Partial<StoredJob>) => async (store: Store, job: number) => {
  await store.changeJob(job, column);
};
const hindrances: [string, Hindrance, (store: Store, job: number) => Promise<void>][] = [
  ['a worker that is not known', 'worker', (store) => store.unregister(1)],
  ['a paused job', 'state', change({ state: 'paused' })],
  ['a job of another place', 'place', change({ place: 'another' })],
  ['fewer marks than were seen', 'marks', change({ marks: -1 })],
  ['a job before its start', 'wait', change({ startAt: 9e12 })],
  ['an account that waits', 'wait', (store) => store.delayAccount({ account: 'a', service: 's' }, 60_000)],
  ['a limit of rows in flight', 'full', change({ concurrency: 1 })],
];

describe.each(databases.filter(({ isMissing }) => !isMissing))('the store on $name', ({ name, create }) => {
  const openOne = async (): Promise<Store> => (await create())();

  test('a plan is seen only when it is complete, and a failed one leaves nothing', async () => {
    const store = await openOne();
    const seen: unknown[] = [];
    const row = { number: 0, line: 2, key: 'a', state: 'planned', reason: null, values: { n: 1 } } as const;
    const failing = store.plan(newJob({}), async (insert) => {
      await insert([row]);
      seen.push(await store.jobs(), await store.activeJobs(['q'], []));
      throw new Error('the source failed');
    });
    await expect(failing).rejects.toThrow('the source failed');
    expect(seen).toEqual([[], []]);
    const job = await planKeys(store, ['a']);
    expect(await store.rows(job, {})).toMatchObject([
      { key: 'a', line: 2, state: 'planned', attempt: 0, values: { name: 'a' } },
    ]);
  });

  test('a name is planned once, also by two programs at the same time', async () => {
    const open = await create();
    const [one, two] = [await open(), await open()];
    const planned = await Promise.all([planKeys(one, names(50)), planKeys(two, names(50))]);
    expect(planned.filter((id) => id === -1)).toHaveLength(1);
    expect(await one.jobs()).toMatchObject([{ name: 'tags', state: 'running', total: 50 }]);
    expect(await planKeys(one, ['a'])).toBe(-1);
  });

  test('a planned job keeps its rows if the response to its last statement is lost', async () => {
    const open = await create((sql) => ({
      ...sql,
      async run(text, parameters) {
        const found = await sql.run(text, parameters);
        if (text.includes('SET name')) throw new Error('the response was lost');
        return found as never;
      },
    }));
    const store = await open();
    const planned = await planKeys(store, ['a', 'b']);
    const [job] = await store.jobs();
    expect(job).toMatchObject({ name: 'tags', state: 'running', total: 2 });
    expect(await statesOf(store, job?.id ?? -1)).toEqual({ a: 'planned', b: 'planned' });
    expect(planned).toBe(job?.id);
  });

  test('names the line of the row that has a key already', async () => {
    const store = await openOne();
    let lines: unknown;
    await store.plan(newJob({}), async (insert) => {
      const row = { key: 'a', state: 'planned', reason: null, values: null } as const;
      lines = await insert([
        { ...row, number: 0, line: 2 },
        { ...row, number: 1, line: 3 },
      ]);
      return { total: 1, plan: { rows: 1, planned: 1, leftOut: {}, repeated: 0, sameSource: [] } };
    });
    expect(lines).toEqual(new Map([[1, 2]]));
  });

  test('two workers never claim the same row, and each claim is a mark', async () => {
    const open = await create();
    const [one, two] = [await open(), await open()];
    const job = await planKeys(one, names(200));
    const [first, second] = [await newWorker(one), await newWorker(two)];
    const claims = await Promise.all([
      claim(one, job, first, 30),
      claim(two, job, second, 30),
      claim(one, job, first, 30),
    ]);
    const numbers = claims.flatMap(({ rows }) => rows.map(({ number }) => number));
    expect(new Set(numbers).size).toBe(90);
    expect(claims.map(({ marks }) => marks).toSorted()).toEqual([1, 2, 3]);
    expect(claims[0]?.rows[0]).toMatchObject({ state: 'claimed', attempt: 1, worker: first });
  });

  test.each(hindrances)('claims nothing of %s', async (_, hindrance, hinder) => {
    const store = await openOne();
    const job = await planKeys(store, names(3));
    await store.register({ id: 1, host: 'h', process: 1, queues: ['q'] });
    expect((await claim(store, job, 1, 1)).rows).toHaveLength(1);
    await hinder(store, job);
    expect(await claim(store, job, 1)).toMatchObject({ rows: [], hindrance });
  });

  test('the limit of rows in flight counts the claimed rows of all workers, also when they claim at once', async () => {
    const open = await create();
    const [one, two] = [await open(), await open()];
    const job = await planKeys(one, names(50), { concurrency: 5 });
    const [first, second] = [await newWorker(one), await newWorker(two)];
    const claims = await Promise.all(
      [1, 2, 3, 4].map((n) => (n % 2 ? claim(one, job, first, 3) : claim(two, job, second, 3))),
    );
    expect(claims.flatMap(({ rows }) => rows)).toHaveLength(5);
  });

  test('spaces the turns of a rate over all claims', async () => {
    const store = await openOne();
    const job = await planKeys(store, names(100), { rate: 100 });
    const worker = await newWorker(store);
    const first = await claim(store, job, worker);
    expect(first).toMatchObject({ turn: 0, pace: 10 });
    expect(first.rows).toHaveLength(10);
    const nextAt = async () => (await store.jobs('tags'))[0]?.nextAt;
    const at = (await store.now()) + 200;
    await store.changeJob(job, { nextAt: at });
    const second = await claim(store, job, worker);
    expect(second.turn).toBeGreaterThan(0);
    expect(second.turn).toBeLessThanOrEqual(200);
    expect(await nextAt()).toBeCloseTo(at + 100, 1);
    expect(await store.reserveTurn(job)).toBeGreaterThan(0);
    expect(await nextAt()).toBeCloseTo(at + 110, 1);
    await store.changeJob(job, { nextAt: (await store.now()) + 5_000 });
    expect(await claim(store, job, worker)).toMatchObject({ rows: [], hindrance: 'wait' });
  });

  test('an outcome counts only for the current attempt of its worker, and can be repeated', async () => {
    const store = await openOne();
    const job = await planKeys(store, ['a', 'b']);
    const worker = await newWorker(store);
    const { rows } = await claim(store, job, worker);
    const [a, b] = rows;
    if (!a || !b) throw new Error('two rows');
    const done = outcomeOf(a, { state: 'done', results: { tag: 7 } });
    await store.settle([
      done,
      outcomeOf({ ...b, attempt: 9 }, { state: 'done' }),
      outcomeOf({ ...b, worker: 9 }, { state: 'done' }),
    ]);
    await store.settle([done]);
    expect(await store.rows(job, {})).toMatchObject([
      { key: 'a', state: 'done', values: null, results: { tag: 7 }, attempt: 1 },
      { key: 'b', state: 'claimed' },
    ]);
  });

  test('of several outcomes of one attempt, the last counts', async () => {
    const store = await openOne();
    const job = await planKeys(store, names(20));
    const worker = await newWorker(store);
    const { rows } = await claim(store, job, worker);
    const states = ['claimed', 'done'] as const;
    await store.settle(
      rows.flatMap((row) => states.map((state) => outcomeOf(row, { state, results: { tag: state } }))),
    );
    expect(new Set((await store.rows(job, {})).map(({ state, results }) => `${state} ${results?.tag}`))).toEqual(
      new Set(['done done']),
    );
  });

  test('a row in doubt is looked up after its time, and a lookup changes neither its attempt nor its worker', async () => {
    const store = await openOne();
    const job = await planKeys(store, ['a']);
    const worker = await newWorker(store);
    const [row] = (await claim(store, job, worker)).rows;
    if (!row) throw new Error('a row');
    await store.settle([outcomeOf(row, { state: 'doubt', step: 'tag', lookUpIn: 200 })]);
    expect(await store.takeDoubtful(job, 9)).toEqual([]);
    const due = await vi.waitFor(async () => {
      const found = await store.takeDoubtful(job, 9);
      expect(found).toHaveLength(1);
      return found;
    });
    expect(due).toMatchObject([{ state: 'doubt', step: 'tag', attempt: 1, worker, sentAt: row.sentAt }]);
    expect((await store.now()) - (row.sentAt ?? 0)).toBeGreaterThanOrEqual(200);
    // Another worker waits for this lookup.
    expect(await store.takeDoubtful(job, 9)).toEqual([]);
    await vi.waitFor(async () => expect(await store.takeDoubtful(job, 9)).toHaveLength(1));
  });

  test('a certain outcome replaces doubt and unknown, and an unsure one does not', async () => {
    const store = await openOne();
    const job = await planKeys(store, ['a', 'b', 'c']);
    const worker = await newWorker(store);
    const { rows } = await claim(store, job, worker);
    await store.settle(rows.map((row) => outcomeOf(row, { state: 'unknown', reason: 'lost' })));
    const late = (['done', 'planned', 'doubt'] as const).flatMap((state, index) => {
      const row = rows[index];
      return row ? outcomeOf(row, { state }) : [];
    });
    await store.settle(late);
    expect(await statesOf(store, job)).toEqual({ a: 'done', b: 'planned', c: 'unknown' });
  });

  test('rows of a worker that is gone are in doubt, also if they were claimed after it was declared dead', async () => {
    const store = await openOne();
    const job = await planKeys(store, ['a', 'b']);
    const [gone, alive] = [await newWorker(store), await newWorker(store)];
    await claim(store, job, gone, 1);
    await claim(store, job, alive, 1);
    await store.unregister(gone);
    expect(await store.beat(alive)).toBe(true);
    expect(await statesOf(store, job)).toEqual({ a: 'doubt', b: 'claimed' });
    expect(await store.beat(gone)).toBe(false);
  });

  test('a confirmation renews the time of a claim, unless the row or its worker is gone', async () => {
    const store = await openOne();
    const job = await planKeys(store, ['a']);
    const worker = await newWorker(store);
    const [row] = (await claim(store, job, worker)).rows;
    if (!row) throw new Error('a row');
    await sleep(5);
    expect(await store.confirm(row)).toBe(true);
    expect((await store.rows(job, {}))[0]?.sentAt).toBeGreaterThan(row.sentAt ?? 0);
    expect(await store.confirm({ ...row, attempt: 2 })).toBe(false);
    await store.unregister(worker);
    expect(await store.confirm(row)).toBe(false);
  });

  test('a silent worker is dead by the clock of the database only, and never on one machine', async () => {
    const { silence } = lifetimes;
    onTestFinished(() => void Object.assign(lifetimes, { silence }));
    lifetimes.silence = 400;
    const store = await openOne();
    const job = await planKeys(store, ['a', 'b']);
    const silent = await newWorker(store);
    await claim(store, job, silent, 1);
    // The clock of this process is a day ahead.
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 86_400_000);
    const alive = await newWorker(store);
    await store.beat(alive);
    clock.mockRestore();
    expect(await statesOf(store, job)).toEqual({ a: 'claimed', b: 'planned' });
    await sleep(500);
    await store.beat(alive);
    expect(await statesOf(store, job)).toEqual({ a: name === 'SQLite' ? 'claimed' : 'doubt', b: 'planned' });
  });

  test('a job ends when no row is open, and continues when one is planned again', async () => {
    const store = await openOne();
    const job = await planKeys(store, ['a']);
    const worker = await newWorker(store);
    expect(await store.finish(job)).toBe(false);
    const [row] = (await claim(store, job, worker)).rows;
    if (!row) throw new Error('a row');
    expect(await store.finish(job)).toBe(false);
    await store.settle([outcomeOf(row, { state: 'unknown' })]);
    expect(await store.finish(job)).toBe(true);
    expect(await store.jobs('tags')).toMatchObject([{ state: 'finished', endedAt: expect.any(Number) }]);
    await store.settle([outcomeOf(row, { state: 'planned' })]);
    expect(await store.jobs('tags')).toMatchObject([{ state: 'running', endedAt: null }]);
  });

  test('changes by a person need the attempt that was read, and count as a new one', async () => {
    const store = await openOne();
    const job = await planKeys(store, ['a', 'b']);
    const worker = await newWorker(store);
    const { rows } = await claim(store, job, worker);
    await store.settle(rows.map((row) => outcomeOf(row, { state: 'rejected', step: 'tag', code: 'X', reason: 'no' })));
    const [a, b] = await store.rows(job, { states: ['rejected'] });
    if (!a || !b) throw new Error('two rows');
    const again = { state: 'planned', step: null, code: null, reason: null } as const;
    const changes = [
      { ...a, ...again, values: { name: 'other' }, results: undefined },
      { ...b, ...again, values: undefined, results: undefined, attempt: 9 },
    ];
    await expect(store.changeRows(job, changes, { isStrict: true })).rejects.toThrow(
      'have changed since they were read',
    );
    expect(await statesOf(store, job)).toEqual({ a: 'rejected', b: 'rejected' });
    expect(await store.changeRows(job, changes)).toBe(1);
    expect(await store.rows(job, { keys: ['a'] })).toMatchObject([
      { state: 'planned', attempt: 2, values: { name: 'other' }, reason: null },
    ]);
  });

  test('a row that a person puts in doubt belongs to no log', async () => {
    const store = await openOne();
    const job = await planKeys(store, ['a']);
    const [row] = await store.rows(job, {});
    if (!row) throw new Error('a row');
    await store.changeRows(job, [{ ...row, state: 'doubt', values: undefined, results: undefined }]);
    expect(await store.rows(job, {})).toMatchObject([
      { state: 'doubt', worker: 0, sentAt: expect.any(Number), step: null },
    ]);
  });

  test('added rows follow the others, and count', async () => {
    const store = await openOne();
    const job = await planKeys(store, ['a']);
    const [row] = await store.rows(job, {});
    if (!row) throw new Error('a row');
    const added = [
      { number: 0, line: 2, key: 'a, left out 1', state: 'invalid', reason: 'why', values: null },
    ] as const;
    await store.changeRows(job, [{ ...row, results: undefined }], { added });
    expect(await statesOf(store, job)).toEqual({ a: 'planned', 'a, left out 1': 'invalid' });
    expect(await store.jobs('tags')).toMatchObject([{ total: 2 }]);
  });

  test('a quota never has more requests in its window than it allows', async () => {
    const open = await create();
    const [one, two] = [await open(), await open()];
    const taken = await Promise.all([one, two, one, two].map((store) => store.reserveQuota('q', 2, 400)));
    expect(taken.filter((wait) => wait === undefined).length).toBeLessThanOrEqual(2);
    while ((await one.reserveQuota('q', 2, 400)) === undefined);
    await vi.waitFor(async () => expect(await one.reserveQuota('q', 2, 400)).toBeUndefined(), { timeout: 2_000 });
  });

  test('a change of a job needs the place and the marks that were seen', async () => {
    const store = await openOne();
    const job = await planKeys(store, ['a']);
    const place = await store.place();
    await store.changeJob(job, { marks: 5 });
    const pause = { state: 'paused' } as const;
    expect(await store.changeJob(job, pause, { place: 'another' })).toBe(false);
    expect(await store.changeJob(job, pause, { place, marksBelow: 5 })).toBe(false);
    expect(await store.changeJob(job, pause, { states: ['cancelled'], place })).toBe(false);
    expect(await store.changeJob(job, pause, { states: ['running'], place, marksBelow: 6 })).toBe(true);
    const noticed = { wentBackAt: 7 };
    expect(await store.changeJob(job, noticed, { wentBackAt: 8 })).toBe(false);
    expect(await store.changeJob(job, noticed, { wentBackAt: null })).toBe(true);
    expect(await store.changeJob(job, pause, { wentBackAt: null })).toBe(false);
    expect(await store.changeJob(job, pause, { wentBackAt: 7 })).toBe(true);
  });

  test('shows the jobs that a worker can work on, by priority', async () => {
    const store = await openOne();
    const low = await planKeys(store, ['a'], { name: 'low' });
    const high = await planKeys(store, ['a'], { name: 'high', priority: 5 });
    expect((await store.activeJobs(['q'], [])).map(({ id }) => id)).toEqual([high, low]);
    expect(await store.activeJobs(['other'], [])).toEqual([]);
    await store.changeJob(low, { state: 'paused' });
    expect((await store.activeJobs(['q'], [])).map(({ name }) => name)).toEqual(['high']);
    expect(await store.activeJobs([], [low])).toMatchObject([{ hasPlanned: true, hasDoubt: false, wait: 0 }]);
  });

  test('counts rows by state', async () => {
    const store = await openOne();
    const job = await planKeys(store, ['a', 'b', 'c']);
    const worker = await newWorker(store);
    const [a, b] = (await claim(store, job, worker, 2)).rows;
    if (!a || !b) throw new Error('two rows');
    await store.settle([outcomeOf(a, { state: 'planned', results: { tag: 1 } })]);
    expect(await store.counts(job)).toMatchObject({ states: { planned: 2, claimed: 1 }, begun: 1 });
  });

  test('a row is found by a key with characters that a database rejects', async () => {
    const store = await openOne();
    const job = await planKeys(store, [toStorableString('half \ud83d')]);
    expect(await store.rows(job, { keys: ['half \ud83d'] })).toHaveLength(1);
  });

  test('values of any text read back as they were', async () => {
    const store = await openOne();
    const values = { text: 'a\u0000b \ud800 "ü\\ \u2028', list: [1, null, { deep: true }], 'key "x"': 1.5 };
    const job = await store.plan(newJob({}), async (insert) => {
      await insert([{ number: 0, line: 2, key: 'ключ', state: 'planned', reason: null, values }]);
      return { total: 1, plan: { rows: 1, planned: 1, leftOut: {}, repeated: 0, sameSource: [] } };
    });
    expect((await store.rows(job ?? 0, {}))[0]).toMatchObject({ key: 'ключ', values });
  });

  test('a reason with characters that a database rejects stops no outcome', async () => {
    const store = await openOne();
    const job = await planKeys(store, ['a', 'b']);
    const worker = await newWorker(store);
    const [a, b] = (await claim(store, job, worker, 2)).rows;
    if (!a || !b) throw new Error('two rows');
    const reason = 'cut \ud83d and \0';
    await store.settle([outcomeOf(a, { state: 'rejected', reason, code: '\0' }), outcomeOf(b, { state: 'done' })]);
    expect(await store.rows(job, {})).toMatchObject([
      { state: 'rejected', reason: 'cut \ufffd and \ufffd' },
      { state: 'done' },
    ]);
    await store.changeJob(job, { state: 'paused', reason });
    expect(await store.jobs('tags')).toMatchObject([{ state: 'paused', reason: 'cut \ufffd and \ufffd' }]);
  });

  test('a removed job is gone with its rows', async () => {
    const store = await openOne();
    const job = await planKeys(store, names(5));
    await store.remove(job);
    expect(await store.jobs()).toEqual([]);
    expect(await store.rows(job, {})).toEqual([]);
  });
});
