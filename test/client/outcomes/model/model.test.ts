import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import fc from '../../../fast-check.ts';
import { amounts } from '../../../support/amounts.ts';
import { plans } from './plan.ts';
import { type Denial, runPlan } from './run.ts';
import { Service } from './service.ts';
import { watchTimers } from './timers.ts';

const sequences = amounts.modelSequences;

const service = new Service();
const unhandled: unknown[] = [];
const { prepareStackTrace } = Error;
const note = (reason: unknown): void => void unhandled.push(reason);

beforeAll(() => {
  process.on('unhandledRejection', note);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  watchTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  // The client reads the stacks of thousands of causes, and Vitest would map each to its source.
  Reflect.deleteProperty(Error, 'prepareStackTrace');
});
afterAll(async () => {
  process.off('unhandledRejection', note);
  Error.prepareStackTrace = prepareStackTrace;
  vi.useRealTimers();
  vi.restoreAllMocks();
  await service.stop();
});

/**
 * Random faults over random calls, against a service that counts processed requests. The client must never report a
 * processed request as not processed.
 */
test('over random sequences of faults, no outcome is false or lost, no call is sent twice, and none hangs or leaks', async () => {
  const url = await service.start();
  const denials: Denial[] = [];
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const from = denials.length;
      const problems = await runPlan(plan, url, service, denials);
      for (const { thing, what } of denials.slice(from))
        if (service.countOf(thing) > 0) problems.push(`${what}, and processed`);
      expect([...problems, ...unhandled.splice(0)]).toEqual([]);
    }),
    { numRuns: sequences },
  );
  // Requests that arrived after their sequence count, too.
  expect(denials.filter(({ thing }) => service.countOf(thing) > 0)).toEqual([]);
  expect(denials.length).toBeGreaterThan(sequences / 10);
});
