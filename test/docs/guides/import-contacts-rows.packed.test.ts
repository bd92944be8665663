import { expect, test } from 'vitest';
import { openJobs } from '../../../src/jobs/index.ts';
import { csv, expectEachOnce, imported, people, prepare } from './import-contacts.ts';

test('rows with bad values are reported with their lines, and fixed ones are imported by the next run', async () => {
  const program = await prepare();
  const long = `${'a'.repeat(60)}@example.com`;
  const rows = people.map((one, index) => ({ ...one, email: index === 1 ? long : one.email }));
  await program.write('contacts.csv', `${csv(rows)}c-4,,\n\nc-1,Eve,Evans,eve@example.com\n`);
  const { stdout, code } = await program.run();
  expect(code).toBe(0);
  expect(stdout).toMatch(/^line 3: .+$/m);
  expect(stdout).toMatch(/^line 5: it needs a first_name and a last_name$/m);
  expect(stdout).toMatch(/^line 7: The key c-1 is already used on line 2$/m);
  expect(stdout).toContain('2 imported, 3 with a problem, 0 not known');

  await program.write('contacts.csv', csv([...people].reverse()));
  expect((await program.run()).stdout).toContain('3 imported, 2 with a problem, 0 not known');
  expectEachOnce(program);
});

test('if another contact of the same name could be the lost one, no contact is created until a person decides', async () => {
  const program = await prepare();
  const { contacts } = program.sandbox.state.crm;
  const [ann] = contacts.values();
  if (!ann) throw new Error('There is no contact');
  contacts.set(5_000, { ...ann, record: { id: 5_000, firstName: 'Ada', lastName: 'Adler' }, emails: [] });
  program.sandbox.faults.add({ operation: 'createContact', drop: 'before' });
  const unclear = /^line 2: .*it is not clear whether the record is one of 5000$/m;
  expect((await program.run()).stdout).toMatch(unclear);
  expect((await program.run()).stdout).toMatch(unclear);
  expect(imported(program)).toHaveLength(2);

  const client = { baseUrl: 'http://127.0.0.1:4012', auth: null };
  const jobs = await openJobs({ definitions: [], client, folder: program.path('.carillon-jobs') });
  await jobs.decide('import-people', 'c-1', { outcome: 'not done' });
  await jobs.close();
  expect((await program.run()).stdout).toContain('3 imported, 0 with a problem');
  expectEachOnce(program);
});

test('unmatched quotes stop the import with their line, and rows are neither lost nor duplicated', async () => {
  const program = await prepare();
  await program.write('contacts.csv', csv(people).replace('Bela', '"Be"la'));
  expect(await program.run()).toMatchObject({
    stderr: expect.stringMatching(/^Stopped: .* line 3.*\nRun the program again to continue\.\n$/),
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
