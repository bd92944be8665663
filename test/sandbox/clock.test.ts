import { expect, test } from 'vitest';
import { createSandbox } from '../../src/sandbox/index.ts';
import { SandboxClock } from '../../src/sandbox/world/clock.ts';
import { hour, startAt } from './support.ts';

test('runs in real time from its start', () => {
  let real = 5_000;
  const clock = new SandboxClock(() => real, startAt);
  expect(clock.now()).toBe(startAt);
  real += 10;
  expect(clock.now()).toBe(startAt + 10);
});

test('can be advanced while running or frozen, but never moved back', () => {
  let real = 0;
  const clock = new SandboxClock(() => real);
  clock.advance(hour);
  expect(clock.now()).toBe(hour);
  clock.freeze();
  real += 500;
  expect(clock.now()).toBe(hour);
  clock.advance(1);
  expect(clock.now()).toBe(hour + 1);
  for (const wrong of [-1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => clock.advance(wrong)).toThrow(RangeError);
});

test('continues from where it was frozen', () => {
  let real = 0;
  const clock = new SandboxClock(() => real);
  clock.freeze(startAt);
  real += 500;
  clock.resume();
  expect(clock.now()).toBe(startAt);
  real += 1;
  clock.resume();
  expect(clock.now()).toBe(startAt + 1);
  expect(() => clock.freeze(Number.NaN)).toThrow(RangeError);
});

test('starts at the current time by default', () => {
  const before = Date.now();
  const { clock } = createSandbox();
  expect(clock.now()).toBeGreaterThanOrEqual(before);
  expect(clock.now()).toBeLessThanOrEqual(Date.now());
});
