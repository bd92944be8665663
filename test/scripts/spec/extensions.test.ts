import { expect, it } from 'vitest';
import { readMarks } from '../../../scripts/spec/extensions.ts';

it('requires the known values of a point that other values would contradict', () => {
  const open = { evidence: 'values', text: 'It is not documented whether there are others.' };
  const path = ['components', 'schemas', 'Deal', 'properties', 'type'];
  expect(readMarks({ 'x-open': open, examples: [0, 1] }, path)).toMatchObject([{ mark: 'x-open', evidence: 'values' }]);
  expect(() => readMarks({ 'x-open': open }, path)).toThrow(
    '#/components/schemas/Deal/properties/type has x-open with the evidence "values", so it needs the known values as "examples"',
  );
});
