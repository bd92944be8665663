import { describe, expect, test } from 'vitest';
import { Gate } from '../../../src/jobs/work/gate.ts';

const failure = 'the service fails';
const lost = { step: 'send', isLost: true, failure };
const away = { step: 'send', isLost: false, failure };

function open() {
  const clock = { now: 1_000 };
  const gate = new Gate(() => clock.now);
  /** Fails some requests. Returns why the job should pause, by the last one. */
  const fail = (failed: typeof lost, count = 1): string | undefined =>
    Array.from({ length: count }, () => gate.fail(failed)).at(-1);
  /** Lets a row try when its wait has passed. Returns that wait. */
  const wait = (): number => {
    const milliseconds = gate.wait ?? 0;
    clock.now += milliseconds;
    gate.start();
    return milliseconds;
  };
  return { clock, gate, fail, wait };
}

describe('the gate of a job', () => {
  test('is open until the fourth request in a row without a sure outcome', () => {
    const { gate, fail } = open();
    fail(lost, 3);
    expect([gate.isClosed, gate.wait]).toEqual([false, 0]);
    fail(lost);
    expect([gate.isClosed, gate.wait]).toEqual([true, 500]);
  });

  test('closes at the first failure of a service that took nothing, and an occasional one is no outage', () => {
    const { gate, fail } = open();
    for (let count = 0; count < 20; count += 1) {
      fail(away);
      expect([gate.isClosed, gate.outage]).toEqual([true, undefined]);
      gate.responded('send');
      expect(gate.isClosed).toBe(false);
    }
  });

  test('lets one row at a time try, and shows that one is trying', () => {
    const { gate, fail, wait } = open();
    fail(lost, 4);
    wait();
    expect(gate.wait).toBeUndefined();
    fail(lost);
    expect(gate.wait).toBe(1_000);
  });

  test('waits twice as long after each try that fails, up to 30 seconds, and not longer for those that were in flight', () => {
    const { fail, wait } = open();
    fail(away, 3);
    const waits = Array.from({ length: 8 }, () => {
      const milliseconds = wait();
      fail(away, 3);
      return milliseconds;
    });
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  test('waits as long again after a try that sent nothing, and the next row tries', () => {
    const { gate, fail, wait } = open();
    fail(away);
    wait();
    gate.pass();
    expect(wait()).toBe(500);
  });

  test('opens only by an answer to the step that failed', () => {
    const { gate, fail, wait } = open();
    fail(lost, 4);
    wait();
    gate.responded('other');
    expect([gate.isClosed, gate.wait]).toEqual([true, 500]);
    gate.responded('send');
    expect([gate.isClosed, gate.wait]).toEqual([false, 0]);
  });

  test('shows an outage from the third try on, with its reason and its beginning, until the first answer', () => {
    const { gate, fail, wait } = open();
    fail(away);
    wait();
    fail(away);
    expect(gate.outage).toBeUndefined();
    wait();
    fail(away);
    const { since } = gate.outage ?? {};
    expect(gate.outage).toEqual({ reason: failure, since: expect.any(Number) });
    wait();
    fail(away);
    expect(gate.outage?.since).toBe(since);
    gate.responded('send');
    expect(gate.outage).toBeUndefined();
  });

  test('pauses the job at the twentieth request in a row of a step without a sure outcome', () => {
    const { gate, fail } = open();
    expect(fail(lost, 19)).toBeUndefined();
    expect(gate.fail({ ...lost, step: 'other' })).toBeUndefined();
    expect(fail(away)).toBeUndefined();
    expect(fail(lost)).toBe(
      '20 consecutive requests had no certain outcome (step send). Check the service, then resume the job',
    );
  });

  test('counts from the last answer', () => {
    const { gate, fail } = open();
    fail(lost, 19);
    gate.responded('send');
    expect(fail(lost, 3)).toBeUndefined();
    expect(gate.isClosed).toBe(false);
  });
});
