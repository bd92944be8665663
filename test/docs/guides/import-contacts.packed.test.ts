import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { isNightly } from '../../support/amounts.ts';
import { csv, expectEachOnce, guide, people, prepare } from './import-contacts.ts';
import { end, prepareGuide, shownOutputs } from './program.ts';

/** Kills a running program. */
async function kill(child: ChildProcess | undefined): Promise<void> {
  if (!child) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

test('the output matches the guide, and a second run adds no contacts', async () => {
  const program = await prepareGuide(guide);
  program.sandbox.faults.add({ operation: 'createContact', drop: 'after' });
  expect(await program.run()).toMatchObject({ stdout: (await shownOutputs(guide))[0], stderr: '', code: 0 });
  const before = program.sandbox.state.crm.contacts.size;
  expect((await program.run()).stdout).toContain('3 imported, 1 with a problem, 0 not known');
  expect(program.sandbox.state.crm.contacts.size).toBe(before);
});

test.each([
  ['that is no JSON', '<p>Welcome</p>'],
  ['without an id', '{"data": {}}'],
])('a contact is found again after a response %s', async (_, body) => {
  let creations = 0;
  const program = await prepare({
    async intercept({ url }, respond) {
      const response = await respond();
      if (url.endsWith('/contacts/create')) creations += 1;
      return url.endsWith('/contacts/create') && creations === 2 ? new Response(body) : response;
    },
  });
  expect(await program.run()).toMatchObject({ stderr: '', code: 0 });
  expectEachOnce(program);
  expect(creations).toBe(people.length);
});

/** Number of writes to interrupt: those of one row, and at night of the row after it. */
const writes = isNightly ? 4 : 2;
test.each(Array.from({ length: writes }, (_, index) => ({ nth: index + 1, when: index % 2 ? 'after' : 'before' })))(
  'killed $when write $nth is processed, the next run leaves each row once',
  async ({ nth, when }) => {
    let child: ChildProcess | undefined;
    let seen = 0;
    const program = await prepare({
      async intercept({ url }, respond) {
        if (!url.includes('get-list')) seen += 1;
        if (seen !== nth || url.includes('get-list')) return respond();
        if (when === 'before') {
          await kill(child);
          return new Response();
        }
        const response = await respond();
        await kill(child);
        return response;
      },
    });
    child = program.start();
    expect((await end(child)).signal).toBe('SIGKILL');
    child = undefined;
    expect(await program.run()).toMatchObject({ stderr: '', code: 0 });
    expectEachOnce(program);
  },
);

test('a rejected key stops the import, and the next run with another one completes it', async () => {
  const program = await prepare();
  program.sandbox.faults.add({ operation: 'createContact', status: 401 });
  const { stderr, code } = await program.run();
  expect(stderr).toMatch(/Stopped: .+401.*\nRun the program again to continue\.\n$/);
  expect(code).toBe(1);
  expect((await program.run()).code).toBe(0);
  expectEachOnce(program);
});

test('two programs at the same time create each contact once', async () => {
  const program = await prepare();
  await program.write('contacts.csv', csv(people));
  const both = await Promise.all([program.run(), program.run()]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expectEachOnce(program);
});
