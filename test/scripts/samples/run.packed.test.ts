import { beforeAll, describe, expect, it } from 'vitest';
import { sampleLanguages } from '../../../scripts/samples/languages.ts';
import { samplesIn } from '../../support/samples.ts';
import type { Outcome } from './runner.ts';
import { runners } from './runners.ts';

describe('the sample languages', () => {
  it('have exactly one runner each', () => {
    expect(Object.keys(runners).sort()).toEqual(sampleLanguages.map(({ id }) => id).sort());
  });

  it('differ in id and label', () => {
    for (const key of ['id', 'label'] as const) {
      expect(new Set(sampleLanguages.map((language) => language[key])).size).toBe(sampleLanguages.length);
    }
  });
});

for (const { id, label } of sampleLanguages) {
  const runner = runners[id];
  const samples = samplesIn(id);
  if (runner?.missing) console.warn(`The samples for ${label} do not run: ${runner.missing}`);

  describe.skipIf(runner?.missing)(`every sample runs: ${label}`, () => {
    let outcomes: ReadonlyMap<string, Outcome>;
    beforeAll(async () => {
      outcomes = await runner.run(id);
    });

    it.for(samples)('$name', (sample) => {
      const outcome = outcomes.get(sample.name);
      if (!outcome) throw new Error('It did not run');
      const { error, failures, requests } = outcome;
      expect({ error, failures }).toEqual({ error: undefined, failures: [] });
      const { operationId, success } = sample.operation;
      expect(requests.length).toBeGreaterThan(0);
      for (const request of requests) {
        expect(request).toMatchObject({ operation: operationId, status: Number(success.status) });
      }
      runner.check(outcome, sample);
    });
  });
}
