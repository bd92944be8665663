import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { concernsRow, findMarked, type Journal, openJournal } from '../../../src/client/journal/index.ts';
import { createSandbox, type Fault } from '../../../src/sandbox/index.ts';
import fc, { samples } from '../../fast-check.ts';

let file: string;
beforeEach(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'carillon-journal-')), 'rows.sqlite');
});
afterEach(() => rm(join(file, '..'), { recursive: true, force: true }));

function setUp() {
  const sandbox = createSandbox({ seed: false });
  const options = { baseUrl: 'https://sandbox.example.com', auth: { apiKey: 'any' }, maxRetries: 0 };
  const api = createClient({ ...options, fetch: sandbox.fetch, logger: { warn: () => undefined } });
  const create = (journal: Journal, row = 'c-1', lastName = 'Adler') =>
    journal.once({
      row,
      step: 'contact',
      values: { firstName: 'Ada', lastName },
      send: async (name, marker) =>
        (await api.crm.contacts.create({ ...name, responsibleId: 77, externalContactId: marker })).id,
      find: (name, marker) => findMarked(api.crm.contacts.list(name), marker, (found) => found.externalContactId),
    });
  return { sandbox, api, create };
}

/** Runs an action with its own journal, like one run of a program. */
async function withJournal<Result>(action: (journal: Journal) => Promise<Result>): Promise<Result> {
  const journal = await openJournal({ file });
  try {
    return await action(journal);
  } finally {
    await journal.close();
  }
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );
}

test('sends nothing for a completed step, in this run and the next', async () => {
  const { sandbox, create } = setUp();
  const id = await withJournal(async (journal) => {
    expect(journal.isDone('c-1', 'contact')).toBe(false);
    return [await create(journal), await create(journal), journal.isDone('c-1', 'contact')];
  });
  expect(id).toEqual([id[0], id[0], true]);
  expect(await withJournal((journal) => create(journal))).toBe(id[0]);
  expect(sandbox.requests.map(({ operation }) => operation)).toEqual(['createContact']);
});

test.each<[string, Fault, string[]]>([
  ['a lost reply is looked up, and found', { drop: 'after' }, ['createContact', 'listContacts']],
  [
    'a lost request is looked up, then sent again',
    { drop: 'before' },
    ['createContact', 'listContacts', 'createContact'],
  ],
  ['a 503 is looked up, then sent again', { status: 503 }, ['createContact', 'listContacts', 'createContact']],
])('%s', async (_, fault, operations) => {
  const { sandbox, create } = setUp();
  sandbox.faults.add({ operation: 'createContact', ...fault });
  const error = await failureOf(withJournal((journal) => create(journal)));
  expect([error, concernsRow(error)]).toEqual([expect.objectContaining({ name: 'OutcomeUnknownError' }), true]);
  await withJournal((journal) => create(journal));
  expect([sandbox.state.crm.contacts.size, sandbox.requests.map(({ operation }) => operation)]).toEqual([
    1,
    operations,
  ]);
});

test('looks up a lost reply by the sent values, even if the row was corrected since', async () => {
  const { sandbox, create } = setUp();
  sandbox.faults.add({ operation: 'createContact', drop: 'after' });
  await failureOf(withJournal((journal) => create(journal, 'c-1', 'Adlr')));
  await withJournal((journal) => create(journal, 'c-1', 'Adler'));
  expect([...sandbox.state.crm.contacts.values()].map(({ record }) => record.lastName)).toEqual(['Adlr']);
});

test('an invalid value fails its row, and an unknown option ends the run', async () => {
  const { sandbox, api } = setUp();
  const send = (values: object, options = {}) =>
    withJournal((journal) =>
      journal.once({
        row: 'c-1',
        step: 'contact',
        values: {},
        send: async () => (await api.crm.contacts.create({ responsibleId: 77, ...values }, options)).id,
        find: async () => undefined,
      }),
    );
  const badCell = await failureOf(send({ firstName: 'Ada', attachments: [Number.NaN] }));
  expect(badCell).toMatchObject({ name: 'ArgumentError', parameter: 'attachments[0]' });
  const missing = await failureOf(withJournal(async () => api.crm.contacts.get(JSON.parse('{}'))));
  const badProgram = await failureOf(send({ firstName: 'Ada' }, { timeuot: 5 }));
  expect([badCell, missing, badProgram].map(concernsRow)).toEqual([true, true, false]);
  // The step is not done, so the next run sends it.
  await send({ firstName: 'Ada' });
  expect(sandbox.requests.map(({ operation }) => operation)).toEqual(['createContact']);
});

test.each([
  [422, true],
  [404, true],
  [403, false],
])('status %i means not processed, so the next run sends the step without a lookup', async (status, isOfRow) => {
  const { sandbox, create } = setUp();
  sandbox.faults.add({ operation: 'createContact', status });
  const error = await failureOf(withJournal((journal) => create(journal)));
  expect([error, concernsRow(error)]).toEqual([expect.objectContaining({ status }), isOfRow]);
  await withJournal((journal) => create(journal));
  expect(new Set(sandbox.requests.map(({ operation }) => operation))).toEqual(new Set(['createContact']));
  expect(sandbox.state.crm.contacts.size).toBe(1);
});

test.each([401, 429])(
  'without the assumption that status %i means not processed, the next run looks the step up before it sends',
  async (status) => {
    const { sandbox, create } = setUp();
    sandbox.faults.add({ operation: 'createContact', status });
    const error = await failureOf(withJournal((journal) => create(journal)));
    expect([error, concernsRow(error)]).toEqual([expect.objectContaining({ status }), false]);
    await withJournal((journal) => create(journal));
    const operations = sandbox.requests.map(({ operation }) => operation);
    expect(operations.slice(-2)).toEqual(['listContacts', 'createContact']);
    expect(sandbox.state.crm.contacts.size).toBe(1);
  },
);

/** Copies the current files. Reading them releases the lock, which no other process needs here. */
async function copyOfFiles(): Promise<string> {
  const folder = join(file, '..');
  await cp(folder, `${folder}-copy`, { recursive: true });
  onTestFinished(() => rm(`${folder}-copy`, { recursive: true, force: true }));
  return join(`${folder}-copy`, basename(file));
}

test.each(['disk', 'process'] as const)(
  'writes the entry to the file before the request leaves, durable: %s',
  async (durable) => {
    const send = vi.fn(async () => {
      const copy = await openJournal({ file: await copyOfFiles() });
      const again = { row: 'r', step: 's', values: null, send: async () => 8, find: async () => 9 };
      expect(await copy.once(again)).toBe(9);
      await copy.close();
      return 7;
    });
    const journal = await openJournal({ file, durable });
    expect(await journal.once({ row: 'r', step: 's', values: null, send, find: async () => undefined })).toBe(7);
    await journal.close();
    expect(send).toHaveBeenCalledTimes(1);
  },
);

test('an error from outside the client leaves the step begun', async () => {
  const find = vi.fn(async () => 9);
  const step = { row: 'r', step: 's', values: { a: 1 }, find };
  const fail = { ...step, send: () => Promise.reject(new Error('aborted')) };
  expect(await failureOf(withJournal((journal) => journal.once(fail)))).toMatchObject({ message: 'aborted' });
  expect(await withJournal((journal) => journal.once(fail))).toBe(9);
  expect(find).toHaveBeenCalledExactlyOnceWith({ a: 1 }, expect.stringMatching(/^[\da-f-]{36}$/));
});

test('a reply without an ID does not complete the step', async () => {
  const send = async () => Number.NaN;
  const step = { row: 'r', step: 's', values: null, send, find: async () => 3 };
  expect(await failureOf(withJournal((journal) => journal.once(step)))).toMatchObject({ name: 'OutcomeUnknownError' });
  expect(await withJournal((journal) => journal.once(step))).toBe(3);
});

test('refuses a second process, and the same step twice at once', async () => {
  const { create } = setUp();
  await withJournal(async (journal) => {
    await expect(openJournal({ file })).rejects.toThrow(/is in use by another process\. Stop it first\./);
    const both = [create(journal), create(journal), create(journal, 'c-2', 'Boros')];
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });
  await withJournal(async (journal) => expect(journal.isDone('c-2', 'contact')).toBe(true));
});

const step = {
  row: 'r',
  step: 's',
  values: null,
  send: async () => 7,
  find: async (): Promise<number | undefined> => undefined,
};

test('keeps rows with any characters apart: NUL, unpaired surrogates, line separators', async () => {
  const rows = ['a', 'a\u0000', 'a\u0000b', '\ud800', '\udc00', '\ufffd', 'a\u2028b', '"', ' a'];
  const send = vi.fn(async (values: string) => values.length);
  const run = () =>
    withJournal(async (journal) => {
      for (const row of rows) await journal.once({ ...step, row, values: `${row}\u2028`, send });
    });
  await run();
  await run();
  expect(send.mock.calls.map(([values]) => values)).toEqual(rows.map((row) => `${row}\u2028`));
});

test.each([
  ['a number', 7, /^row is a text, not number 7/],
  ['null', null, /^row is a text, not null/],
  ['an empty text', '', /^row has 1 to 1000 characters, not 0/],
  ['a long text', 'x'.repeat(1_001), /^row has 1 to 1000 characters, not 1001/],
])('refuses a row that is %s, and sends no request', async (_, row, message) => {
  const send = vi.fn(async () => 7);
  await withJournal(async (journal) => {
    // Untyped callers can pass it.
    await expect(journal.once({ ...step, row: row as string, send })).rejects.toThrow(message);
    await expect(journal.once({ ...step, step: row as string, send })).rejects.toThrow(/^step /);
    expect(() => journal.isDone(row as string, 's')).toThrow(message);
  });
  expect(send).not.toHaveBeenCalled();
});

test.each([null, Number.NaN, '', {}, 1.5])(
  'a find that returns %j is an error, and the step is looked up again',
  async (found) => {
    await withJournal((journal) => journal.once({ ...step, send: () => Promise.reject(new Error('lost')) })).catch(
      () => undefined,
    );
    // Untyped callers can return it.
    const find = vi.fn(async () => found as number);
    await expect(withJournal((journal) => journal.once({ ...step, find }))).rejects.toThrow(/^find of s returned /);
    expect(await withJournal((journal) => journal.once({ ...step, find: async () => 5 }))).toBe(5);
  },
);

test('a person can decide a step with an unknown outcome', async () => {
  const lose = (row: string) =>
    withJournal((journal) => journal.once({ ...step, row, send: () => Promise.reject(new Error('lost')) })).catch(
      () => undefined,
    );
  await lose('created');
  await lose('not created');
  const find = vi.fn(step.find);
  await withJournal(async (journal) => {
    await expect(journal.decide('other', 's', 4)).rejects.toThrow('s of other is not in the journal');
    await journal.decide('created', 's', 4);
    await journal.decide('not created', 's', undefined);
    await expect(journal.decide('created', 's', 5)).rejects.toThrow('s of created is done: there is nothing to decide');
    expect(await journal.once({ ...step, row: 'created', find })).toBe(4);
    expect(await journal.once({ ...step, row: 'not created', find })).toBe(7);
  });
  expect(find).not.toHaveBeenCalled();
});

test('steps of one turn share a transaction, and all are stored', async () => {
  const rows = Array.from({ length: 50 }, (_, index) => `r-${index}`);
  await withJournal((journal) => Promise.all(rows.map((row) => journal.once({ ...step, row }))));
  await withJournal(async (journal) => expect(rows.filter((row) => !journal.isDone(row, 's'))).toEqual([]));
});

test('a closed journal refuses further steps', async () => {
  const journal = await openJournal({ file });
  await journal.close();
  await journal.close();
  await expect(journal.once(step)).rejects.toThrow(/^The journal .* is closed/);
});

/** How often a file is damaged. */
const rounds = samples(30);

/** Damages the closed file in many ways. Each time, opening it fails or it has the same steps. */
async function expectDetected(damage: (bytes: Buffer, round: number) => Buffer): Promise<void> {
  const rows = Array.from({ length: 30 }, (_, index) => `row ${index} ${'x'.repeat(300)}`);
  await withJournal((journal) => Promise.all(rows.map((row) => journal.once({ ...step, row, values: row }))));
  const whole = await readFile(file);
  for (let round = 0; round < rounds; round += 1) {
    await writeFile(file, damage(Buffer.from(whole), round));
    const found = await withJournal(async (journal) => rows.filter((row) => !journal.isDone(row, 's'))).catch(
      (error: Error) => error.name,
    );
    expect([[], 'DatabaseFileError'], `round ${round}`).toContainEqual(found);
  }
}

test('flipped bits in the file are detected or leave the same steps', () =>
  expectDetected((bytes, round) => {
    const at = Math.floor((bytes.length * round) / rounds) + (round % 7);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (round % 8));
    return bytes;
  }));

test('truncations of the file are detected or leave the same steps', () =>
  expectDetected((bytes, round) => bytes.subarray(0, Math.floor((bytes.length * round) / rounds))));

test('absent values stay absent', async () => {
  const find = vi.fn(async () => 5);
  const lost = { ...step, values: undefined, send: () => Promise.reject(new Error('lost')) };
  await withJournal((journal) => journal.once(lost)).catch(() => undefined);
  expect(await withJournal((journal) => journal.once({ ...lost, find }))).toBe(5);
  expect(find).toHaveBeenCalledExactlyOnceWith(undefined, expect.any(String));
});

class Person {
  name = 'Ada';
}

test.each<[string, unknown, string]>([
  ['a Map', { tags: new Map([['a', 1]]) }, 'values.tags is a Map'],
  ['NaN', { list: [1, Number.NaN] }, 'values.list[1] is NaN'],
  ['a function', { name: 'Ada', greet: () => 'hello' }, 'values.greet is a function'],
  ['a symbol', { name: Symbol('Ada') }, 'values.name is a symbol'],
  ['a BigInt', { id: 1n }, 'values.id is a BigInt'],
  ['undefined in a list', [undefined], 'values[0] is undefined'],
  ['bytes', new Uint8Array([1, 2]), 'values is a Uint8Array'],
  ['an invalid Date', { at: new Date(Number.NaN) }, 'values.at is an invalid Date'],
  ['an instance of a class', { person: new Person() }, 'values.person is an instance of a class: pass a plain object'],
  ['a URL', { url: new URL('https://a.example') }, 'values.url has a function toJSON: pass what it returns'],
  ['a String object', { name: Object('Ada') }, 'values.name is a String object: pass its value'],
  [
    "the journal's own field",
    { 'carillon:date': 'x' },
    'values has a field carillon:date, a name that the journal uses itself',
  ],
])('refuses values that JSON would change, and sends nothing: %s', async (_, values, problem) => {
  const send = vi.fn(async () => 7);
  const other = withJournal(async (journal) => {
    const [bad, good] = await Promise.allSettled([
      journal.once({ ...step, values, send }),
      // Is stored in the same turn.
      journal.once({ ...step, row: 'good' }),
    ]);
    expect(good.status).toBe('fulfilled');
    if (bad.status === 'rejected') throw bad.reason;
  });
  const error = await failureOf(other);
  expect(error).toMatchObject({ name: 'ArgumentError', message: `s of r: ${problem}; nothing was sent` });
  expect([concernsRow(error), send.mock.calls.length]).toEqual([true, 0]);
  // The row can be corrected.
  expect(await withJournal((journal) => journal.once({ ...step, send }))).toBe(7);
});

test('find gets the values back as their type says, with each Date', async () => {
  const at = new Date('2026-02-03T04:05:06.789Z');
  const values = { at, list: [at, { until: at }], nothing: null, text: at.toISOString(), none: undefined };
  const find = vi.fn(async (sent: typeof values) => sent.at.getUTCFullYear());
  const lost = { ...step, values, send: () => Promise.reject(new Error('lost')), find };
  await withJournal((journal) => journal.once(lost)).catch(() => undefined);
  expect(await withJournal((journal) => journal.once(lost))).toBe(2026);
  const { none, ...kept } = values;
  expect(find.mock.calls.map(([sent]) => sent)).toStrictEqual([kept]);
});

test('find gets any JSON values back equal', async () => {
  const found: unknown[] = [];
  const writtenAndRead = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  let rows = 0;
  await withJournal((journal) =>
    fc.assert(
      // JSON has no -0.
      fc.asyncProperty(fc.jsonValue().map(writtenAndRead), async (values) => {
        rows += 1;
        const row = String(rows);
        const lost = { ...step, row, values, send: () => Promise.reject(new Error('lost')) };
        await journal.once(lost).catch(() => undefined);
        await journal.once({ ...lost, find: async (sent) => found.push(sent) });
        expect(found.at(-1)).toStrictEqual(values);
      }),
    ),
  );
  expect(found.length).toBeGreaterThan(0);
});

test('a journal whose log is damaged in the middle is refused, instead of sending confirmed steps again', async () => {
  const journal = await openJournal({ file });
  for (const row of ['a', 'b', 'c', 'd']) await journal.once({ ...step, row });
  const copy = await copyOfFiles();
  await journal.close();
  const log = await readFile(`${copy}-wal`);
  const at = log.length / 2;
  log[at] = (log[at] ?? 0) ^ 1;
  await writeFile(`${copy}-wal`, log);
  await expect(openJournal({ file: copy })).rejects.toThrow(/-wal is damaged at its page \d+, .* Nothing was changed/);
});

test.each<[string, { id: number; mark?: string | null }[], number | undefined]>([
  ['one record has the marker', [{ id: 1, mark: 'x' }, { id: 2, mark: 'm' }, { id: 3 }], 2],
  [
    'the same record comes twice',
    [
      { id: 2, mark: 'm' },
      { id: 2, mark: 'm' },
    ],
    2,
  ],
  ['all have other markers', [{ id: 1, mark: 'x' }], undefined],
  ['there is no record', [], undefined],
])('findMarked: %s', async (_, records, expected) => {
  expect(await findMarked(records, 'm', ({ mark }) => mark)).toBe(expected);
});

test.each<[string, { id: number; mark?: string | null }[]]>([
  [
    'two records have the marker',
    [
      { id: 1, mark: 'm' },
      { id: 2, mark: 'm' },
    ],
  ],
  ['a record shows no marker', [{ id: 1 }, { id: 2, mark: 'x' }]],
  ['a record has null for it', [{ id: 1, mark: null }]],
])('findMarked returns unknown if %s', async (_, records) => {
  await expect(findMarked(records, 'm', ({ mark }) => mark)).rejects.toMatchObject({
    name: 'LookupUnclearError',
    message: expect.stringMatching(/^it is not clear whether it is one of 1/),
  });
});
