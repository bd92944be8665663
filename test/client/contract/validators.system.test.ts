import { describe, expect, it } from 'vitest';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec, type SpecOperation } from '../../../scripts/spec/model.ts';
import type { Violation } from './case-types.ts';
import { deriveCases } from './cases.ts';
import { validator } from './harness.ts';

function isRefused(operation: SpecOperation, { location: [part], call }: Violation): boolean {
  if (part === 'body') return !validator(operation, 'body').safeParse(call.body).success;
  if (part === 'query') return !validator(operation, 'query').safeParse(call.query).success;
  return !validator(operation, 'path').safeParse(call.path).success;
}

describe.each(specNames)('the generated validators of %s', (name) => {
  it('refuse every violation that the mock refuses', () => {
    for (const operation of listOperations(loadSpec(name))) {
      for (const violation of deriveCases(operation).violations) {
        expect(isRefused(operation, violation), `${operation.key}: ${violation.title}`).toBe(true);
      }
    }
  });
});
