import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdSet } from '../../../src/jobs/ready/id-set.ts';
import { PhoneLines } from '../../../src/jobs/ready/phone-lines.ts';

const ids = fc.oneof(fc.integer({ min: 0, max: 200 }), fc.maxSafeInteger());

test('the set of IDs has what was added, and says what it had', () => {
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

test('a phone number has the line that was noted, however many there are and however they are written', () => {
  const lines = new PhoneLines();
  const phones = Array.from({ length: 5_000 }, (_, index) => String(15550100000 + index * 7));
  const unusual = ['0', '00', '015550100000', '9'.repeat(15), '9'.repeat(16), '9'.repeat(17), '90071992547409921'];
  const all = [...phones, ...unusual];
  expect(all.map((phone) => lines.get(phone)).filter((line) => line !== undefined)).toEqual([]);
  all.forEach((phone, index) => {
    expect(lines.get(phone)).toBeUndefined();
    lines.add(phone, index + 2);
  });
  expect(all.map((phone) => lines.get(phone))).toEqual(all.map((_, index) => index + 2));
});
