import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { concernsRow, findMarked, type Journal, openJournal } from '../../../src/client/journal/index.ts';
import { createSandbox, type Fault } from '../../../src/sandbox/index.ts';

let file: string;
beforeEach(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'carillon-journal-')), 'rows.ndjson');
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

/** Runs an action with a journal of its own, as one run of a program does. */
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

test('a step that is done sends nothing again, in this run and the next', async () => {
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

test('a lost reply is looked up by what was sent, though the row was corrected since', async () => {
  const { sandbox, create } = setUp();
  sandbox.faults.add({ operation: 'createContact', drop: 'after' });
  await failureOf(withJournal((journal) => create(journal, 'c-1', 'Adlr')));
  await withJournal((journal) => create(journal, 'c-1', 'Adler'));
  expect([...sandbox.state.crm.contacts.values()].map(({ record }) => record.lastName)).toEqual(['Adlr']);
});

test('a value that the client refuses concerns its row; an option that does not exist ends the run', async () => {
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
  // Nothing was done, so the next run sends again.
  await send({ firstName: 'Ada' });
  expect(sandbox.requests.map(({ operation }) => operation)).toEqual(['createContact']);
});

test.each([
  [422, true],
  [404, true],
  [403, false],
])('a refusal with status %i changes nothing: the next run sends again without a search', async (status, isOfRow) => {
  const { sandbox, create } = setUp();
  sandbox.faults.add({ operation: 'createContact', status });
  const error = await failureOf(withJournal((journal) => create(journal)));
  expect([error, concernsRow(error)]).toEqual([expect.objectContaining({ status }), isOfRow]);
  await withJournal((journal) => create(journal));
  expect(new Set(sandbox.requests.map(({ operation }) => operation))).toEqual(new Set(['createContact']));
  expect(sandbox.state.crm.contacts.size).toBe(1);
});

test.each([401, 429])(
  'that status %i means "not processed" is an assumption: the next run looks the step up, then sends it',
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

test('the line is in the file before the request leaves', async () => {
  const send = vi.fn(async () => {
    expect(await readFile(file, 'utf8')).toContain('"state":"started"');
    return 7;
  });
  const step = { row: 'r', step: 's', values: null, send, find: async () => undefined };
  expect(await withJournal((journal) => journal.once(step))).toBe(7);
  expect(send).toHaveBeenCalledTimes(1);
});

test('what is not an error of the client leaves the step begun', async () => {
  const find = vi.fn(async () => 9);
  const step = { row: 'r', step: 's', values: { a: 1 }, find };
  const fail = { ...step, send: () => Promise.reject(new Error('aborted')) };
  expect(await failureOf(withJournal((journal) => journal.once(fail)))).toMatchObject({ message: 'aborted' });
  expect(await withJournal((journal) => journal.once(fail))).toBe(9);
  expect(find).toHaveBeenCalledExactlyOnceWith({ a: 1 }, expect.stringMatching(/^[\da-f-]{36}$/));
});

test('a reply without an ID is not known to be done', async () => {
  const send = async () => Number.NaN;
  const step = { row: 'r', step: 's', values: null, send, find: async () => 3 };
  expect(await failureOf(withJournal((journal) => journal.once(step)))).toMatchObject({ name: 'OutcomeUnknownError' });
  expect(await withJournal((journal) => journal.once(step))).toBe(3);
});

test('a last line that was cut off counts as not written, and the next one is whole', async () => {
  const { create } = setUp();
  await withJournal((journal) => create(journal));
  const whole = await readFile(file, 'utf8');
  for (const length of [whole.length - 1, whole.lastIndexOf('\n') + 1, whole.lastIndexOf('\n') + 20]) {
    await writeFile(file, whole.slice(0, length));
    await withJournal((journal) => create(journal));
    await withJournal(async (journal) => expect(journal.isDone('c-1', 'contact')).toBe(true));
  }
  await appendFile(file, '\n{"row": 7}\nnull');
  await withJournal(async (journal) => expect(journal.isDone('c-1', 'contact')).toBe(true));
});

test('a second process, and the same step twice at once, are refused', async () => {
  const { create } = setUp();
  await withJournal(async (journal) => {
    await expect(openJournal({ file })).rejects.toThrow(/is in use by another process\. Run one at a time\./);
    const both = [create(journal), create(journal), create(journal, 'c-2', 'Boros')];
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });
  await withJournal(async (journal) => expect(journal.isDone('c-2', 'contact')).toBe(true));
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
])('findMarked decides nothing if %s', async (_, records) => {
  await expect(findMarked(records, 'm', ({ mark }) => mark)).rejects.toMatchObject({
    name: 'LookupUnclearError',
    message: expect.stringMatching(/^it is not clear whether it is one of 1/),
  });
});
