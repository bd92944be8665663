import { expect, test } from 'vitest';
import { IdSet } from '../../../src/jobs/built-in/id-set.ts';
import fc from '../../fast-check.ts';

const ids = fc.oneof(fc.integer({ min: 0, max: 200 }), fc.maxSafeInteger());

test('the set of IDs behaves like a Set', () => {
  fc.assert(
    fc.property(fc.array(ids), fc.array(ids), (added, others) => {
      const set = new IdSet();
      const model = new Set<number>();
      for (const id of added) {
        expect(set.add(id)).toBe(!model.has(id));
        model.add(id);
      }
      expect(set.size).toBe(model.size);
      for (const id of [...added, ...others]) expect(set.has(id)).toBe(model.has(id));
    }),
  );
});
