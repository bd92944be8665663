import { describe, expect, it } from 'vitest';
import { specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec, type Spec, type SpecOperation } from '../../scripts/spec/model.ts';
import type { Violation } from './case-types.ts';
import { deriveCases } from './cases.ts';
import { validator } from './harness.ts';
import { createJudge } from './judge.ts';

/** @hey-api/openapi-ts leaves `not` out: validation does not report what only `not` forbids. */
function isForbiddenByNotOnly(operation: SpecOperation, { call }: Violation): boolean {
  const withoutNot = (key: string, value: unknown): unknown => (key === 'not' ? undefined : value);
  const document: Spec['document'] = JSON.parse(JSON.stringify(operation.spec.document, withoutNot));
  const copy = listOperations({ ...operation.spec, document }).find(({ key }) => key === operation.key);
  return (
    copy?.body !== undefined &&
    call.body !== undefined &&
    createJudge(document)(copy.body.schema, call.body).length === 0
  );
}

function isRefused(operation: SpecOperation, { location: [part], call }: Violation): boolean {
  if (part === 'body') return !validator(operation, 'Body').safeParse(call.body).success;
  if (part === 'query') return !validator(operation, 'Query').safeParse(call.query).success;
  return !validator(operation, 'Path').safeParse(call.path).success;
}

describe.each(specNames)('the generated validators of %s', (name) => {
  it('refuse every violation that the mock refuses, but for what `not` alone forbids', () => {
    for (const operation of listOperations(loadSpec(name))) {
      for (const violation of deriveCases(operation).violations) {
        if (isRefused(operation, violation)) continue;
        const message = `${operation.key}: ${violation.title}`;
        expect(isForbiddenByNotOnly(operation, violation), message).toBe(true);
      }
    }
  });
});
