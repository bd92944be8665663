import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyVariable } from '../../../scripts/samples/parts.ts';
import { runTogether } from './run-together.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carillon-together-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(programs: string[], limit?: number) {
  const own = await mkdtemp(join(folder, 'run-'));
  const files = programs.map((_, index) => join(own, `program-${index}.mts`));
  for (const [index, file] of files.entries()) await writeFile(file, programs[index] ?? '');
  return runTogether(files, limit);
}

const good = { error: undefined, printed: ['good'], warnings: [] };

test('what each program prints and what it warns of are kept apart', async () => {
  const outcomes = await run([
    "const text: string = 'one\\ntwo'; console.log(text); console.warn('three');",
    "console.log('good');",
  ]);
  expect(outcomes).toEqual([{ error: undefined, printed: ['one', 'two'], warnings: ['three'] }, good]);
});

test('a program runs when the one before has nothing left to do', async () => {
  const late = "setTimeout(() => console.log('late'), 50); console.log('early');";
  const [first, second] = await run([late, "console.log('good');"]);
  expect([first?.printed, second]).toEqual([['early', 'late'], good]);
});

test.each([
  ['throws', "throw new Error('broken');", 'broken'],
  ['rejects later', "setTimeout(() => void Promise.reject(new Error('late')), 1);", 'late'],
  ['ends with a code', 'process.exit(3);', '3: '],
  ['leaves a global for the next one', 'Object.assign(globalThis, { left: 1 });', 'It left left'],
  ['leaves a variable of the environment', "process.env.LEFT = '1';", 'It left env LEFT'],
])('a program that %s has failed, and those before and after it have not', async (_, program, error) => {
  const [before, failed, after] = await run(["console.log('good');", program, "console.log('good');"]);
  expect(failed?.error).toContain(error);
  expect([before, after]).toEqual([good, good]);
});

test('a program that leaves a timer does not end, and has failed', async () => {
  const [failed, after] = await run(['setInterval(() => {}, 1_000);', "console.log('good');"], 500);
  expect(failed?.error).toContain('did not end within 500 ms');
  expect(after).toEqual(good);
});

test('no key reaches a program', async () => {
  process.env[keyVariable] = 'a key';
  try {
    const [outcome] = await run([`console.log('${keyVariable}' in process.env);`]);
    expect(outcome?.printed).toEqual(['false']);
  } finally {
    delete process.env[keyVariable];
  }
});
