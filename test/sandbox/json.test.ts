import { expect, test } from 'vitest';
import { jsonInSteps, maxMarks, parseJson, parseSnapshot } from '../../src/sandbox/json.ts';
import { atOnce } from '../../src/sandbox/slices.ts';
import fc from '../fast-check.ts';

const result = (act: () => unknown): unknown => {
  try {
    return act();
  } catch {
    return 'refused';
  }
};

test('a snapshot that is parsed in steps is what JSON.parse returns', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const text = JSON.stringify(value, undefined, space);
      expect(atOnce(parseSnapshot(text))).toEqual(JSON.parse(text));
      expect(atOnce(jsonInSteps(value))).toBe(JSON.stringify(value));
    }),
  );
});

test('a text with a mistake is refused if, and only if, JSON.parse refuses it', () => {
  const text = fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.stringify(value));
  const mistake = fc.constantFrom('', ',', ':', '{', '}', '[', ']', '"', '\\\\', ' ', '1', 'null', '"a":1,');
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(2), mistake, (whole, at, cut, inserted) => {
      const place = at % (whole.length + 1);
      const wrong = whole.slice(0, place) + inserted + whole.slice(place + cut);
      expect(result(() => atOnce(parseSnapshot(wrong)))).toEqual(result(() => JSON.parse(wrong)));
    }),
  );
});

test.each(['{"__proto__":{"a":1}}', '{"a":1,"a":2}', ' { "a" : [ ] } ', '[1,]', '[,1]', '{,}', '{"a"}', '1 2', ''])(
  'reads %s as JSON.parse does',
  (text) => {
    expect(result(() => atOnce(parseSnapshot(text)))).toEqual(result(() => JSON.parse(text)));
  },
);

test('many records are no reason to refuse a snapshot, but one with too many items is', () => {
  const records = `{"state":{"crm":{"tags":[${'{},'.repeat(maxMarks)}{}]}}}`;
  expect(atOnce(parseSnapshot(records))).toHaveProperty('state.crm.tags.length', maxMarks + 1);
  expect(() => parseJson(records)).toThrow(`more than ${maxMarks} commas`);
  const record = `{"state":{"crm":{"tags":[{"a":[${'1,'.repeat(maxMarks)}1]}]}}}`;
  expect(() => atOnce(parseSnapshot(record))).toThrow(`more than ${maxMarks} commas`);
});
