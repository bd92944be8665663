import { expect, test } from 'vitest';
import type { RowOutcome } from '../../../src/jobs/store/store.ts';
import { outcomeOf } from '../../../src/jobs/work/recover.ts';
import { attemptOf, type LoggedRow } from '../../../src/jobs/work/send-log.ts';

const worker = 7;
const job = { lookupAfter: 65_000 };
const done: RowOutcome = { job: 1, number: 2, attempt: 3, worker, state: 'done', results: { a: 1 } };
const step: RowOutcome = { job: 1, number: 2, attempt: 3, worker, state: 'claimed', results: { a: 1 } };

/** What becomes of a row in a state, by a line of the log. */
function recovered(state: 'claimed' | 'doubt' | 'unknown', logged: LoggedRow | undefined, isComplete = true) {
  const row = { job: 1, number: 2, attempt: 3 };
  const rows = new Map(logged ? [[attemptOf(row), logged]] : []);
  return outcomeOf({ ...row, state }, worker, job, { rows }, isComplete);
}

test('a claimed row without a line is planned again, if the log is complete', () => {
  expect(recovered('claimed', undefined)).toMatchObject({ state: 'planned' });
});

test('a row that was kept for another try is in doubt if the line of that try may be lost', () => {
  const kept: LoggedRow = { outcome: { ...done, state: 'planned' } };
  expect(recovered('claimed', kept)).toMatchObject({ state: 'planned' });
  expect(recovered('claimed', kept, false)).toMatchObject({ state: 'doubt' });
  expect(recovered('doubt', kept, false)).toBeUndefined();
});

test('after a lost machine, a claimed row without a line is in doubt with each step that has no result', () => {
  const found = recovered('claimed', undefined, false);
  expect(found).toMatchObject({ state: 'doubt', lookUpIn: 65_000 });
  expect(found?.step).toBeUndefined();
  // A later line may be lost.
  expect(recovered('claimed', { step: 'tag', outcome: step }, false)).toMatchObject({
    state: 'doubt',
    results: { a: 1 },
  });
  expect(recovered('claimed', { step: 'tag' }, false)?.step).toBeUndefined();
});

test('a row with a line and without an outcome is in doubt with its step', () => {
  expect(recovered('claimed', { step: 'tag' })).toMatchObject({ state: 'doubt', step: 'tag' });
  expect(recovered('claimed', { step: 'b', outcome: step })).toMatchObject({
    step: 'b',
    results: { a: 1 },
  });
});

test('a row whose last step has a response goes on with its results', () => {
  expect(recovered('claimed', { outcome: step })).toMatchObject({ state: 'planned', results: { a: 1 } });
});

test.each([true, false])(
  'an outcome in the log counts, also in doubt and after unknown (complete: %s)',
  (isComplete) => {
    for (const state of ['claimed', 'doubt', 'unknown'] as const)
      expect(recovered(state, { outcome: done }, isComplete)).toEqual(done);
  },
);

test('a row in doubt stays in doubt without a line, and unknown only becomes certain', () => {
  expect(recovered('doubt', undefined)).toBeUndefined();
  expect(recovered('unknown', undefined)).toBeUndefined();
  expect(recovered('unknown', { step: 'tag' })).toBeUndefined();
});
