import { expect, test, vi } from 'vitest';
import { atOnce, inSlices, type Steps } from '../../src/sandbox/slices.ts';

function* count(steps: number, note: (step: number) => void): Steps<string> {
  for (let step = 0; step < steps; step += 1) {
    note(step);
    yield;
  }
  return 'done';
}

test('work at once goes through all steps', () => {
  const steps: number[] = [];
  expect(atOnce(count(3, (step) => steps.push(step)))).toBe('done');
  expect(steps).toEqual([0, 1, 2]);
});

test.each([
  ['on Node', false],
  ['in a browser, which has no setImmediate', true],
])('work in slices lets other work run in between (%s)', async (_, isBrowser) => {
  const { setImmediate } = globalThis;
  if (isBrowser) vi.stubGlobal('setImmediate', undefined);
  const told: string[] = [];
  // Each step takes a slice.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const work = inSlices(
    count(3, (step) => {
      told.push(`step ${step}`);
      now += 20;
      setImmediate(() => told.push(`other work ${step}`));
    }),
  );
  expect(told).toEqual(['step 0']);
  expect(await work).toBe('done');
  expect(told.indexOf('other work 0')).toBeGreaterThan(0);
  expect(told.indexOf('other work 0')).toBeLessThan(told.indexOf('step 2'));
});

test('of many tasks in slices, one works in each turn of the event loop, and turns without any are in between', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  let turn = 0;
  let isDone = false;
  const count = async (): Promise<void> => {
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      turn += 1;
    }
  };
  const counting = count();
  const worked: number[] = [];
  const tasks = Array.from({ length: 10 }, () =>
    inSlices(
      (function* (): Steps {
        for (let step = 0; step < 3; step += 1) {
          worked.push(turn);
          now += 20;
          yield;
        }
      })(),
    ),
  );
  await Promise.all(tasks);
  isDone = true;
  await counting;
  expect(worked).toHaveLength(30);
  expect(worked.every((one, index) => index === 0 || one - (worked[index - 1] ?? 0) >= 2)).toBe(true);
});
