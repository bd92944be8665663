import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { Fault } from '../../../src/sandbox/index.ts';
import { isNightly } from '../../support/amounts.ts';
import { csv, expectEachOnce, guide, imported, people, prepare } from './import-contacts.ts';
import { end, type GuideProgram, prepareGuide, shownOutputs } from './program.ts';

/** Kills a running program. */
async function kill(child: ChildProcess | undefined): Promise<void> {
  if (!child) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** A fault for the request after the first `skipped` of an operation. */
function addFault(
  { sandbox }: GuideProgram,
  operation: NonNullable<Fault['operation']>,
  skipped: number,
  fault: Fault,
): void {
  sandbox.faults.add({ operation, nth: skipped + 1, ...fault });
}

test('the output matches the guide, and a second run adds no contacts', async () => {
  const program = await prepareGuide(guide);
  program.sandbox.faults.add({ operation: 'createContact', drop: 'after' });
  expect(await program.run()).toMatchObject({ stdout: (await shownOutputs(guide))[0], stderr: '', code: 0 });
  const before = program.sandbox.state.crm.contacts.size;
  expect((await program.run()).stdout).toContain('0 imported, 3 before, 1 with a problem, 0 not known');
  expect(program.sandbox.state.crm.contacts.size).toBe(before);
});

test.each(
  (['createContact', 'createContactEmails'] as const).flatMap((operation) => [
    { operation, how: 'a reply that is lost', fault: { drop: 'after' } as const },
    // The client and the journal are tested with these, too.
    ...(isNightly
      ? [
          { operation, how: 'a request that is lost', fault: { drop: 'before' } as const },
          { operation, how: 'a 503', fault: { status: 503 } },
          { operation, how: 'a 408', fault: { status: 408 } },
          {
            operation,
            how: 'a 429 that the client waits for',
            fault: { status: 429, headers: { 'retry-after': '0' } },
          },
        ]
      : []),
  ]),
)('$how of $operation leaves each row once', async ({ operation, fault }) => {
  const program = await prepare();
  addFault(program, operation, 1, fault);
  expect(await program.run()).toMatchObject({ stderr: '', code: 0 });
  expectEachOnce(program);
});

test.each([
  ['that is no JSON', '<p>Welcome</p>'],
  ['without an id', '{"data": {}}'],
])('a contact is found again after a reply %s', async (_, reply) => {
  let creations = 0;
  const program = await prepare({
    async intercept({ url }, answer) {
      const answered = await answer();
      if (url.endsWith('/contacts/create')) creations += 1;
      return url.endsWith('/contacts/create') && creations === 2 ? new Response(reply) : answered;
    },
  });
  expect(await program.run()).toMatchObject({ stderr: '', code: 0 });
  expectEachOnce(program);
  expect(creations).toBe(people.length);
});

/** Number of writes to interrupt: those of one row, and at night of the row after it. */
const writes = isNightly ? 4 : 2;
test.each(
  Array.from({ length: writes }, (_, index) => index + 1).flatMap((nth) => [
    { nth, when: 'before' },
    { nth, when: 'after' },
  ]),
)('killed $when write $nth is processed, the next run leaves each row once', async ({ nth, when }) => {
  let child: ChildProcess | undefined;
  let seen = 0;
  const program = await prepare({
    async intercept({ url }, answer) {
      if (!url.includes('get-list')) seen += 1;
      if (seen !== nth || url.includes('get-list')) return answer();
      if (when === 'before') {
        await kill(child);
        return new Response();
      }
      const response = await answer();
      await kill(child);
      return response;
    },
  });
  child = program.start();
  expect((await end(child)).signal).toBe('SIGKILL');
  child = undefined;
  expect(await program.run()).toMatchObject({ stderr: '', code: 0 });
  expectEachOnce(program);
});

test('killed repeatedly, even during a lookup, it ends with each row once', async () => {
  const kills = [1, 2, 4, 5, 6, 8];
  let child: ChildProcess | undefined;
  let seen = 0;
  const program = await prepare({
    async intercept(_request, answer) {
      const response = await answer();
      seen += 1;
      if (kills.includes(seen)) await kill(child);
      return response;
    },
  });
  for (const _ of kills) {
    child = program.start();
    expect((await end(child)).signal).toBe('SIGKILL');
  }
  expect(program.sandbox.requests.filter(({ path }) => path.includes('get-list'))).toHaveLength(5);
  expect(await program.run()).toMatchObject({ stderr: '', code: 0 });
  expectEachOnce(program);
});

test('a name fixed after its request was lost is still found by the name that was sent', async () => {
  const program = await prepare();
  program.sandbox.faults.add({ operation: 'createContact', drop: 'after' });
  program.sandbox.faults.add({ operation: 'listContacts', status: 503, headers: { 'retry-after': '0' }, times: 3 });
  expect(await program.run()).toMatchObject({
    stderr: expect.stringMatching(/^Stopped: .*503.*\nRun the program again to continue\.\n$/),
    code: 1,
  });
  await program.write('contacts.csv', csv(people).replace('Ada,Adler', 'Adele,Adler'));
  expect((await program.run()).code).toBe(0);
  expectEachOnce(program);
});

test('a service that always fails stops the import early, and a later run completes it', async () => {
  const program = await prepare();
  const many = Array.from({ length: 20 }, (_, index) => ({
    key: `m-${index}`,
    firstName: 'Gus',
    lastName: `Grau${index}`,
    email: `gus.${index}@example.com`,
  }));
  await program.write('contacts.csv', csv([...people, ...many]));
  program.sandbox.faults.add({ operation: 'createContact', status: 500, times: 100 });
  expect(await program.run()).toMatchObject({
    stderr: 'Stopped: The service seems to be down\nRun the program again to continue.\n',
    code: 1,
  });
  expect(program.sandbox.requests).toHaveLength(5);
  program.sandbox.faults.clear();
  expect((await program.run()).code).toBe(0);
  expect(imported(program)).toHaveLength(23);
});

test.each([
  ['a refused key', { status: 401 }],
  ['a used-up quota', { status: 429, headers: { 'retry-after': '3600' } }],
])('%s stops the import immediately, and the next run looks up the one affected row', async (_, fault) => {
  const program = await prepare();
  program.sandbox.faults.add({ operation: 'createContact', ...fault });
  const { stderr, code } = await program.run();
  expect(stderr).toMatch(/^Stopped: .+(401|429).*\nRun the program again to continue\.\n$/);
  expect(code).toBe(1);
  const before = program.sandbox.requests.length;
  expect((await program.run()).code).toBe(0);
  const later = program.sandbox.requests.slice(before).map(({ operation }) => operation);
  expect(later.filter((operation) => operation === 'listContacts')).toHaveLength(1);
  expectEachOnce(program);
});
