import { expect, test } from 'vitest';
import { openJournal } from '../../../src/client/journal/index.ts';
import { csv, expectEachOnce, imported, journal, people, prepare } from './import-contacts.ts';

test('rows with bad values are reported with their lines, and fixed ones are imported by the next run', async () => {
  const program = await prepare();
  const long = `${'a'.repeat(60)}@example.com`;
  const rows = people.map((one, index) => ({ ...one, email: index === 1 ? long : one.email }));
  await program.write('contacts.csv', `${csv(rows)}c-4,,\n\nc-1,Eve,Evans,eve@example.com\n`);
  const { stdout, code } = await program.run();
  expect(code).toBe(0);
  expect(stdout).toMatch(/^line 3: POST .+\/emails .+$/m);
  expect(stdout).toMatch(/^line 5: it needs a key, a first_name and a last_name$/m);
  expect(stdout).toMatch(/^line 7: the key c-1 appears twice$/m);
  expect(stdout).toContain('2 imported, 0 before, 3 with a problem, 0 not known');

  await program.write('contacts.csv', csv([...people].reverse()));
  expect((await program.run()).stdout).toContain('1 imported, 2 before, 0 with a problem, 0 not known');
  expectEachOnce(program);
});

test('if another contact of the same name could be the lost one, no contact is created until a person decides', async () => {
  const program = await prepare();
  const { contacts } = program.sandbox.state.crm;
  const [ann] = contacts.values();
  if (!ann) throw new Error('There is no contact');
  contacts.set(5_000, { ...ann, record: { id: 5_000, firstName: 'Ada', lastName: 'Adler' }, emails: [] });
  program.sandbox.faults.add({ operation: 'createContact', drop: 'before' });
  const unclear = 'line 2: it is not clear whether it is one of 5000';
  expect((await program.run()).stdout).toContain(unclear);
  expect((await program.run()).stdout).toContain(unclear);
  expect(imported(program)).toHaveLength(2);

  const opened = await openJournal({ file: program.path(journal) });
  await opened.decide('c-1', 'contact', undefined);
  await opened.close();
  expect((await program.run()).stdout).toContain('1 imported, 2 before');
  expectEachOnce(program);
});

test('unmatched quotes stop the import with their line, and rows are neither lost nor duplicated', async () => {
  const program = await prepare();
  await program.write('contacts.csv', csv(people).replace('Bela', '"Be"la'));
  expect(await program.run()).toMatchObject({
    stderr: expect.stringMatching(/^Stopped: .* line 3 .*\nRun the program again to continue\.\n$/),
    code: 1,
  });
  await program.write('contacts.csv', csv(people));
  expect(await program.run()).toMatchObject({ stderr: '', code: 0 });
  expectEachOnce(program);
});

test('a missing file is reported in one line', async () => {
  const program = await prepare();
  await program.remove('contacts.csv');
  expect(await program.run()).toMatchObject({
    stdout: '',
    stderr: expect.stringMatching(/^Stopped: ENOENT.*\nRun the program again to continue\.\n$/),
    code: 1,
  });
});
