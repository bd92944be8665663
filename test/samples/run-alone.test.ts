import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyVariable } from '../../scripts/samples/parts.ts';
import { runAlone } from './run-alone.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carillon-alone-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(program: string, limit?: number) {
  const file = join(folder, 'program.mts');
  await writeFile(file, program);
  return runAlone(file, limit);
}

test('what a program prints and what it warns of are kept apart', async () => {
  const outcome = await run("const text: string = 'one\\ntwo'; console.log(text); console.warn('three');");
  expect(outcome).toEqual({ error: undefined, printed: ['one', 'two'], warnings: ['three'] });
});

test.each([
  ['throws', "throw new Error('broken');", 'broken'],
  ['rejects later', "setTimeout(() => void Promise.reject(new Error('late')), 1);", 'late'],
  ['ends with a code', 'process.exit(3);', '3: '],
])('a program that %s has failed', async (_, program, error) => {
  expect((await run(program)).error).toContain(error);
});

test('a program that leaves a timer does not end, and has failed', async () => {
  expect((await run('setInterval(() => {}, 1_000);', 500)).error).toContain('did not end within 500 ms');
});

test('nothing is left of a program for the next, and no key reaches it', async () => {
  process.env[keyVariable] = 'a key';
  try {
    await run("Object.assign(globalThis, { left: 1 }); process.env.LEFT = '1';");
    const { printed } = await run(
      `console.log('left' in globalThis, 'LEFT' in process.env, '${keyVariable}' in process.env);`,
    );
    expect(printed).toEqual(['false false false']);
  } finally {
    delete process.env[keyVariable];
  }
});
