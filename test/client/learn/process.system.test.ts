import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-learn-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['its program has nothing left to do', ''],
  ['its program calls process.exit', 'process.exit(0);'],
  ['its program throws', 'setTimeout(() => { throw new Error("end"); });'],
])('a learner writes when %s', async (_, end) => {
  const file = join(folder, `${end.length}.json`);
  const program = `
    import { createLearner } from 'carillon/learn';
    const learner = createLearner({ file: ${JSON.stringify(file)} });
    learner.observe('listUsers', 200, { data: [{ id: 1 }] });
    ${end}`;
  const args = ['--conditions=carillon-source', '--input-type=module', '--eval', program];
  await promisify(execFile)(process.execPath, args, { cwd: repositoryRoot }).catch(({ stderr }) =>
    expect(stderr).toContain('Error: end'),
  );
  const [account] = Object.values(JSON.parse(readFileSync(file, 'utf8')).accounts);
  expect(account).toMatchObject({ listUsers: { 200: { replies: 1 } } });
});

it('two learners with one file lose nothing when the process exits while one of them writes', async () => {
  const file = join(folder, 'two.json');
  const program = `
    import { existsSync } from 'node:fs';
    import { createLearner } from 'carillon/learn';
    const file = ${JSON.stringify(file)};
    const [one, other] = [createLearner({ file }), createLearner({ file })];
    const observe = (learner) => learner.observe('listUsers', 200, { data: [{ id: 1 }] });
    observe(other);
    while (!existsSync(file + '.new')) await new Promise(setImmediate);
    observe(one);
    observe(one);
    process.exit();`;
  const args = ['--conditions=carillon-source', '--input-type=module', '--eval', program];
  const { stderr } = await promisify(execFile)(process.execPath, args, { cwd: repositoryRoot });
  expect(stderr).toBe('');
  const [account] = Object.values(JSON.parse(readFileSync(file, 'utf8')).accounts);
  expect(account).toMatchObject({ listUsers: { 200: { replies: 3 } } });
});
