import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient } from '../../../../src/client/index.ts';
import fc, { samples } from '../../../fast-check.ts';

/** Whether a limiter accepts a request at a time in milliseconds. */
type Limiter = (now: number) => boolean;

const perSecond = 4;

/** Counts the requests of each second. Its seconds begin at a phase in milliseconds. */
function fixedWindow(phase: number): Limiter {
  let second = -1;
  let count = 0;
  return (now) => {
    const current = Math.floor((now + phase) / 1_000);
    count = current === second ? count + 1 : 1;
    second = current;
    return count <= perSecond;
  };
}

/** Counts the requests of the last second, with or without those that it refused. */
function slidingWindow(countsRefused: boolean): Limiter {
  let times: number[] = [];
  return (now) => {
    times = times.filter((time) => now - time < 1_000);
    const isAccepted = times.length < perSecond;
    if (isAccepted || countsRefused) times.push(now);
    return isAccepted;
  };
}

/** Takes a token for each request, and gets a new one every quarter of a second. */
function tokenBucket(): Limiter {
  let tokens = perSecond;
  let last = 0;
  return (now) => {
    tokens = Math.min(perSecond, tokens + ((now - last) / 1_000) * perSecond);
    last = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

const limiters = fc.oneof(
  fc.integer({ min: 0, max: 999 }).map((phase) => () => fixedWindow(phase)),
  fc.boolean().map((countsRefused) => () => slidingWindow(countsRefused)),
  fc.constant(tokenBucket),
);
const latency = fc.integer({ min: 0, max: 240 });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Reads a whole list with the defaults, one item per page, over a limiter. Returns the number of items, or the failure. */
async function readPages(pages: number, accepts: Limiter, delay: number): Promise<number | string> {
  const started = Date.now();
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: null,
    async fetch(_, { body = '' }) {
      await new Promise((resolve) => setTimeout(resolve, delay));
      if (!accepts(Date.now() - started)) return Response.json({}, { status: 429 });
      const { offset = 0 } = JSON.parse(body);
      return Response.json({ data: { list: [{ id: offset }], total: pages } });
    },
  });
  const list = api.crm.contacts.list({ limit: 1 }).toArray({ max: pages, complete: true });
  let ended: number | string | undefined;
  void list
    .then(({ length }) => length, String)
    .then((result) => {
      ended = result;
    });
  // Not all timers: one that a connection of another file left can start again and again.
  while (ended === undefined) await vi.advanceTimersToNextTimerAsync();
  return ended;
}

test('with the defaults, toArray completes a list of 30 pages at a service that allows 4 requests a second', async () => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const chances = fc.array(chance, { minLength: 1, maxLength: 20 });
  const property = fc.asyncProperty(limiters, latency, chances, async (createLimiter, delay, random) => {
    let asked = 0;
    vi.spyOn(Math, 'random').mockImplementation(() => random[asked++ % random.length] ?? 0);
    expect(await readPages(30, createLimiter(), delay)).toBe(30);
  });
  await fc.assert(property, { numRuns: samples(12) });
});

test.each([
  ['windows of a second', fixedWindow(0)],
  ['a sliding window', slidingWindow(false)],
])('a long list does not use up its retries at a service with %s', async (_, accepts) => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  let refusals = 0;
  const counting: Limiter = (now) => {
    const isAccepted = accepts(now);
    if (!isAccepted) refusals += 1;
    return isAccepted;
  };
  expect(await readPages(400, counting, 1)).toBe(400);
  expect(refusals).toBeGreaterThan(100);
});
