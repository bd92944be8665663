import { expect, test } from 'vitest';
import { RetryBudget } from '../../../src/client/core/retry.ts';

/** Takes retries until the budget refuses. Returns their number. */
function takeAll(budget: RetryBudget): number {
  let taken = 0;
  while (taken < 1_000 && budget.take()) taken += 1;
  return taken;
}

test('a budget has 100 retries, and refuses more', () => {
  const budget = new RetryBudget();
  expect(takeAll(budget)).toBe(100);
  expect(budget.take()).toBe(false);
});

test('a success after retries returns one retry, however many it needed', () => {
  for (const retries of [1, 7]) {
    const budget = new RetryBudget();
    takeAll(budget);
    budget.refill(retries, 0);
    expect(takeAll(budget)).toBe(1);
  }
});

test('a success after retries that followed 429 returns all of those', () => {
  for (const [retries, limited, returned] of [
    [2, 2, 2],
    [7, 3, 3],
    [7, 1, 1],
  ] as const) {
    const budget = new RetryBudget();
    takeAll(budget);
    budget.refill(retries, limited);
    expect(takeAll(budget)).toBe(returned);
  }
});

test('five successes without a retry return one retry, and four return none', () => {
  const budget = new RetryBudget();
  takeAll(budget);
  for (let success = 0; success < 4; success += 1) budget.refill(0, 0);
  expect(budget.take()).toBe(false);
  budget.refill(0, 0);
  expect(takeAll(budget)).toBe(1);
});

test('a refused retry costs nothing', () => {
  const budget = new RetryBudget();
  takeAll(budget);
  for (let success = 0; success < 4; success += 1) budget.refill(0, 0);
  budget.take();
  budget.refill(0, 0);
  expect(takeAll(budget)).toBe(1);
});

test('successes never raise a budget above 100 retries', () => {
  const budget = new RetryBudget();
  budget.refill(1, 0);
  expect(takeAll(budget)).toBe(100);
  const used = new RetryBudget();
  used.take();
  for (let success = 0; success < 20; success += 1) used.refill(0, 0);
  expect(takeAll(used)).toBe(100);
});
