import { expect, test } from 'vitest';
import { checkGaps } from '../../../scripts/lint/gaps.ts';
import { parseSpecSource } from '../../../scripts/lint/spec-source.ts';

const table = parseSpecSource(
  '/gaps.yaml',
  `zones:
  title: Which time zone is it?
  assumes: Nothing.
  advice: Ask.
sizes:
  title: How large is it?
  assumes: Nothing.
  advice: Ask.
`,
);
const spec = parseSpecSource(
  '/one.yaml',
  `info:
  x-open:
    - The order is not documented.
    - gap: zones
      text: The zone is not documented.
paths:
  /notes:
    get:
      x-inferred: {gap: sizes, text: The size is assumed.}
`,
);

test('gaps of the table, and gaps without an entry in it, are accepted', () => {
  expect(checkGaps([spec], table)).toEqual([]);
});

test('gap-known: an unknown id is reported at its place, with the ids that exist', () => {
  const misspelt = parseSpecSource('/one.yaml', spec.text.replace('gap: zones', 'gap: zonse'));
  expect(checkGaps([misspelt], table, { areAll: false })).toEqual([
    {
      file: '/one.yaml',
      line: 4,
      column: 7,
      rule: 'gap-known',
      message: '/gaps.yaml has no gap zonse: add it there, or use zones, sizes',
    },
  ]);
});

test('gap-known: a gap that no spec names is reported in the table if all specs were read', () => {
  const closed = parseSpecSource('/one.yaml', spec.text.split('paths:')[0] ?? '');
  expect(checkGaps([closed], table)).toEqual([
    expect.objectContaining({
      file: '/gaps.yaml',
      line: 5,
      rule: 'gap-known',
      message: expect.stringMatching(/^no .*sizes/),
    }),
  ]);
  expect(checkGaps([closed], table, { areAll: false })).toEqual([]);
});

test('gap-form: a gap without advice is reported', () => {
  const incomplete = parseSpecSource('/gaps.yaml', table.text.replace('  advice: Ask.\nsizes', 'sizes'));
  expect(checkGaps([spec], incomplete)).toEqual([
    expect.objectContaining({
      file: '/gaps.yaml',
      line: 1,
      rule: 'gap-form',
      message: expect.stringContaining('advice'),
    }),
  ]);
});

test('a table that is not valid YAML is reported', () => {
  expect(checkGaps([spec], parseSpecSource('/gaps.yaml', 'zones: {'))).toEqual([
    expect.objectContaining({ file: '/gaps.yaml', rule: 'yaml' }),
  ]);
});
