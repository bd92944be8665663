import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { end, type GuideProgram, prepareGuide, shownOutputs } from './program.ts';

async function exportedIds({ read }: GuideProgram): Promise<number[]> {
  const file = await read('contacts.ndjson');
  expect(file === '' || file.endsWith('\n')).toBe(true);
  return file
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).id);
}

test('every contact is a line, and the output matches the guide', async () => {
  const program = await prepareGuide('export-contacts', { seed: 500 });
  expect(await program.run()).toEqual({
    stdout: (await shownOutputs('export-contacts'))[0],
    stderr: '',
    code: 0,
  });
  expect(await exportedIds(program)).toEqual([...program.sandbox.state.crm.contacts.keys()]);
});

test('an account without contacts creates an empty file', async () => {
  const program = await prepareGuide('export-contacts', { seed: false });
  expect(await program.run()).toMatchObject({ stdout: '0 of 0\nDone: 0 contacts in contacts.ndjson\n', code: 0 });
  expect(await exportedIds(program)).toEqual([]);
});

test.each([
  ['on pages that were read', 0],
  ['on pages that were not read yet', 350],
])('contacts that are deleted meanwhile %s hide no other, and new ones are included', async (_, place) => {
  let reads = 0;
  const program = await prepareGuide('export-contacts', {
    seed: 500,
    intercept: async (_request, respond) => {
      reads += 1;
      const { contacts } = program.sandbox.state.crm;
      if (reads === 3 || reads === 5) {
        for (const id of [...contacts.keys()].slice(place, place + 120)) contacts.delete(id);
        const [first] = contacts.values();
        if (first) contacts.set(90_000 + reads, { ...first, record: { id: 90_000 + reads, firstName: 'New' } });
      }
      return respond();
    },
  });
  expect((await program.run()).code).toBe(0);
  const ids = await exportedIds(program);
  expect(ids).toEqual([...new Set(ids)]);
  expect(ids).toEqual(expect.arrayContaining([...program.sandbox.state.crm.contacts.keys()]));
});

test('Ctrl+C leaves a file of complete lines, and a failing exit code', async () => {
  let reads = 0;
  const program = await prepareGuide('export-contacts', {
    seed: 500,
    // The third page never arrives.
    intercept: (_, respond) => {
      reads += 1;
      return reads < 3 ? respond() : new Promise(() => {});
    },
  });
  const child = program.start();
  const ended = end(child);
  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => /^199/.test(line) && child.kill('SIGINT'));
  expect(await ended).toMatchObject({
    stdout: '100 of 502\n199 of 502\nNot complete: 199 contacts in contacts.ndjson\n',
    stderr: 'Stopped by Ctrl+C\n',
    code: 1,
  });
  expect(await exportedIds(program)).toHaveLength(199);
});

test('a permanent failure is reported in one line, and the rows read so far are kept', async () => {
  const program = await prepareGuide('export-contacts', { seed: 500 });
  program.sandbox.faults.add({ operation: 'listContacts', delay: 0, times: 2 });
  program.sandbox.faults.add({ operation: 'listContacts', status: 503, headers: { 'retry-after': '0' }, times: 3 });
  const { stderr, code } = await program.run();
  expect(stderr).toMatch(/^.*503.*\n$/);
  expect(code).toBe(1);
  expect(await exportedIds(program)).toHaveLength(199);
});
