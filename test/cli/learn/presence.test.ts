import { expect, test } from 'vitest';
import { replies } from '../../../generated/replies.ts';
import { findAll, type PointFinding } from '../../../src/cli/learn/findings.ts';
import { Recorder } from '../../../src/shared/observed/recorder.ts';

/** Findings about the assumption that the listed fields of messaging replies are there and not null. */
function presence(...bodies: unknown[]): PointFinding | undefined {
  const recorder = new Recorder(Object.values(replies));
  for (const body of bodies) recorder.record('countWebsites', 200, body);
  const { points } = findAll({ accounts: { '00000000-0000-4000-8000-000000000001': recorder.take() } });
  return points.find(({ product, point }) => product === 'messaging' && point.mark === 'x-inferred');
}

test('replies with all listed fields support the assumption that they are always there', () => {
  expect(presence({ total: 3 }, { total: 4 })).toMatchObject({ state: 'supported', accounts: 1, replies: 2 });
});

test('a field that is missing or null contradicts it, and is counted by its name', () => {
  expect(presence({ total: 3 }, {})).toMatchObject({
    state: 'contradicted',
    shows: 'countWebsites › total: 1 of 2 records lack it',
  });
  expect(presence({ total: null })).toMatchObject({ state: 'contradicted', shows: 'countWebsites › total: null' });
});

test('without replies, nothing is said about it', () => {
  expect(presence()).toMatchObject({ state: 'not seen', shows: '' });
});
