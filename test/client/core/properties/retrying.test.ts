import { expect, test } from 'vitest';
import { type AttemptOutcome, parseRetryAfter, retryDelay } from '../../../../src/client/core/retry.ts';
import fc, { anyCharacter, samples } from '../../../fast-check.ts';

const header = fc.oneof(
  fc.constant(null),
  fc.string({ unit: anyCharacter }),
  fc.nat().map(String),
  fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
);
const answer = fc.record({ status: fc.integer({ min: 100, max: 599 }), retryAfter: header });
const noAnswer = fc.record({ sent: fc.constantFrom('no' as const, 'maybe' as const, 'yes' as const) });
const outcome: fc.Arbitrary<AttemptOutcome> = fc.oneof(answer, noAnswer);
const now = fc.integer({ min: 0, max: 4e12 });
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test('a wait is between 0 and a minute, whatever the service says', () => {
  fc.assert(
    fc.property(outcome, fc.boolean(), fc.nat(40), now, random, (result, repeatable, attempt, time, chance) => {
      const delay = retryDelay(result, { repeatable, maxRetries: 40, replayCreates: true }, attempt, time, chance);
      if (delay === undefined) return;
      expect(delay).toBeGreaterThanOrEqual(0);
      expect(delay).toBeLessThanOrEqual(60_000);
    }),
    { numRuns: samples(60) },
  );
});

test('after a 429, each wait is at least three quarters of its interval; after other failures, it is any part of it', () => {
  const rules = { repeatable: true, maxRetries: 40, replayCreates: true };
  const attempts = fc.integer({ min: 0, max: 39 });
  const other = fc.oneof(
    noAnswer,
    fc.constantFrom(408, 500, 502, 503, 504).map((status) => ({ status, retryAfter: null })),
  );
  fc.assert(
    fc.property(attempts, random, other, (attempt, chance, result) => {
      const interval = Math.min(8_000, 500 * 2 ** attempt);
      const limited = retryDelay({ status: 429, retryAfter: null }, rules, attempt, 0, chance);
      expect(limited).toBeGreaterThanOrEqual(0.75 * interval);
      expect(limited).toBeLessThanOrEqual(interval);
      expect(retryDelay(result, rules, attempt, 0, chance)).toBe(chance * interval);
    }),
  );
});

test('an operation that creates is never sent again if it may have been processed', () => {
  fc.assert(
    fc.property(outcome, fc.boolean(), fc.nat(40), now, random, (result, replayCreates, attempt, time, chance) => {
      const unprocessed = 'status' in result ? result.status === 429 && replayCreates : result.sent === 'no';
      const delay = retryDelay(result, { repeatable: false, maxRetries: 50, replayCreates }, attempt, time, chance);
      if (!unprocessed) expect(delay).toBeUndefined();
    }),
    { numRuns: samples(60) },
  );
});

test('parses seconds and dates of Retry-After', () => {
  fc.assert(
    fc.property(fc.nat(100_000), (seconds) => {
      expect(parseRetryAfter(String(seconds), 0)).toBe(seconds * 1000);
    }),
  );
  const day = fc.date({ min: new Date('1970-01-02T00:00:00Z'), max: new Date('2999-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(day, now, (date, time) => {
      const whole = Math.floor(date.getTime() / 1000) * 1000;
      expect(parseRetryAfter(date.toUTCString(), time)).toBe(Math.max(0, whole - time));
    }),
  );
});
