import { expect, it } from 'vitest';
import { readGaps } from '../../../scripts/spec/extensions.ts';

it('names the place of an extension whose form is unknown', () => {
  const path = ['components', 'schemas', 'Deal', 'properties', 'type'];
  expect(readGaps({ 'x-open': 'Are there others?' }, path)).toMatchObject([
    { kind: 'x-open', text: 'Are there others?' },
  ]);
  expect(() => readGaps({ 'x-open': { question: 'Are there others?' } }, path)).toThrow(
    '#/components/schemas/Deal/properties/type: x-open must be whole sentences or {gap, text}, or a list of them',
  );
});
