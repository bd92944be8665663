import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { type BatchCall, BatchCalls, noteCall } from '../../../src/client/core/batch-calls.ts';
import { withoutContext } from '../outcomes/batch-run.ts';

const refusal = new Error('connect ECONNREFUSED');
const abort = new Error('stop');

const callOf = (sent: BatchCall['sent'], isUnderWay = false): BatchCall => ({
  sent,
  isUnderWay,
  failedWith: (error) => sent === 'no' && error === refusal,
});
const unsent = callOf('no');
const sent = callOf('yes');
const pending = callOf('no', true);

interface Made {
  reading?: BatchCall[];
  changing?: BatchCall[];
  /** Calls without a signal, which can belong to any batch. */
  possible?: BatchCall[];
}

test.each<[string, boolean, Made, unknown]>([
  ['it failed with the error of an unsent call', true, { changing: [unsent] }, refusal],
  ['it failed with the error of an unsent call that only reads', true, { reading: [unsent] }, refusal],
  ['it also read', true, { reading: [sent], changing: [unsent] }, refusal],
  ['it also sent another call', false, { changing: [unsent, sent] }, refusal],
  ['another call is pending', false, { changing: [unsent, pending] }, refusal],
  ['a call that may belong to it was sent', false, { changing: [unsent], possible: [sent] }, refusal],
  ['it failed with another error', false, { changing: [unsent] }, new Error('x')],
  ['it made no call before the abort', false, {}, abort],
  ['it sent no call before the abort', true, { changing: [unsent, unsent] }, abort],
  ['it sent no call that only reads before the abort', true, { reading: [unsent] }, abort],
  ['it read before the abort', false, { reading: [sent], changing: [unsent] }, abort],
  ['it sent one of its calls before the abort', false, { changing: [unsent, sent] }, abort],
  ['a call that may belong to it was sent before the abort', false, { changing: [unsent], possible: [sent] }, abort],
])('a batch was certainly not done if %s: %s', (_, expected, made, error) => {
  const batch = new BatchCalls(undefined);
  for (const call of made.reading ?? []) batch.add(call, true);
  for (const call of made.changing ?? []) batch.add(call, false);
  for (const call of made.possible ?? []) batch.addPossible(call);
  expect(batch.provesNotDone(error, error === abort)).toBe(expected);
});

/** Starts a batch that runs until `end` is called. */
function startBatch(outer?: AbortSignal) {
  const { signal } = new AbortController();
  const batch = new BatchCalls(outer);
  const stop = new AbortController();
  const ended = batch.track(signal, () => once(stop.signal, 'abort'));
  const end = (): Promise<unknown> => {
    stop.abort();
    return ended;
  };
  return { batch, signal, end };
}

test('a call without a signal may belong to running batches, but not to ended ones', async () => {
  const [running, ended] = [startBatch(), startBatch()];
  await ended.end();
  const notes = [running, ended].map(({ batch }) => vi.spyOn(batch, 'addPossible'));
  noteCall(unsent, true, undefined);
  noteCall(sent, false, undefined);
  expect(notes.map(({ mock }) => mock.calls)).toEqual([[[sent]], []]);
  await running.end();
});

test('after a batch is reported as not done, its calls and those of its inner batches must not be sent', async () => {
  const outer = startBatch();
  const inner = startBatch(outer.signal);
  const isRefused = (isReading: boolean, signal: AbortSignal) => noteCall(unsent, isReading, signal);
  expect([isRefused(false, outer.signal), isRefused(false, inner.signal)]).toEqual([false, false]);
  outer.batch.isNotDone = true;
  expect([isRefused(false, outer.signal), isRefused(false, inner.signal)]).toEqual([true, true]);
  // A call that only reads repeats nothing.
  expect([isRefused(true, outer.signal), isRefused(true, inner.signal)]).toEqual([false, false]);
  await inner.end();
  await outer.end();
});

test('a call that no batch precedes may be sent', () => {
  withoutContext();
  expect(noteCall(unsent, false, undefined)).toBe(false);
});
