import { expect, test } from 'vitest';
import { parseSpecSource } from '../../../scripts/lint/spec-source.ts';
import { findDuplicates } from '../../../scripts/lint/uniqueness.ts';

function spec(
  name: string,
  operationId: string,
  ruleId: string,
  infoRuleId = `${name}-info`,
): ReturnType<typeof parseSpecSource> {
  return parseSpecSource(
    `/${name}.yaml`,
    `openapi: 3.1.1
info:
  x-rules: [{ id: ${infoRuleId} }]
paths:
  /notes:
    get:
      operationId: ${operationId}
      x-sdk: notes.list
      x-rules:
        - id: ${ruleId}
`,
  );
}

test('unique names are accepted, and x-sdk may repeat between files', () => {
  expect(findDuplicates([spec('one', 'listNotes', 'a-b'), spec('two', 'listBoards', 'c-d')])).toEqual([]);
});

test('operation-id-unique: an operationId from another file is reported', () => {
  expect(findDuplicates([spec('one', 'listNotes', 'a-b'), spec('two', 'listNotes', 'c-d')])).toEqual([
    {
      file: '/two.yaml',
      line: 7,
      column: 7,
      rule: 'operation-id-unique',
      message: 'the operationId listNotes is already used at /one.yaml:7',
    },
  ]);
});

test('rule-id-unique: a rule id from another file is reported, on operations and on info', () => {
  expect(findDuplicates([spec('one', 'listNotes', 'a-b'), spec('two', 'listBoards', 'c-d', 'a-b')])).toEqual([
    {
      file: '/two.yaml',
      line: 3,
      column: 15,
      rule: 'rule-id-unique',
      message: 'the rule id a-b is already used at /one.yaml:10',
    },
  ]);
});
