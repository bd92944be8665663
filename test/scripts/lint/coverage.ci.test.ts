import { expect, test } from 'vitest';
import { checkCoverage } from '../../../scripts/lint/coverage.ts';
import { loadSpec } from '../../../scripts/spec/model.ts';

const spec = loadSpec('crm');
const messaging = loadSpec('messaging');
const [path = ''] = Object.keys(spec.openapi.paths).map((one) => one.replaceAll('/', '~1'));

/** Rows for the sections that no source names. */
const rest = '| 1 §6 | events | `#/info/x-open` |';
const others = [0, 1, 5, 6].map((section) => `| 2 §${section} | a line | \`#/info\` |`).join('\n');

function problemsOf(...rows: string[]): string[] {
  const covered = [
    { spec, file: '/crm.md', text: [...rows, rest].join('\n') },
    { spec: messaging, file: '/messaging.md', text: others },
  ];
  return checkCoverage(covered).map(({ file, line, message }) => `${file}:${line} ${message}`);
}

test('an operation, a schema and a rule with a source need no row', () => {
  expect(problemsOf()).toEqual([]);
});

test('a row names a place without a source, possibly in another spec', () => {
  expect(problemsOf('| 1 §0 | title | `#/info/title`<br>`file:messaging#/info` |')).toEqual([]);
});

test.each([
  ['a pointer that leads nowhere', '| 1 §1 | users | `#/paths/~1nowhere` |', "there is no place '#/paths/~1nowhere'"],
  ['a rule that does not exist', '| 1 §1 | users | `rule:no-such-rule` |', "there is no place 'rule:no-such-rule'"],
  ['a spec that does not exist', '| 1 §1 | users | `file:push#/info` |', "there is no place 'file:push#/info'"],
  ['no place', '| 1 §1 | users |  |', "there is no place ''"],
  ['no name', '| 1 §1 |  | `#/info` |', 'the row does not name a line of the document'],
  ['no section', '| section 1 | users | `#/info` |', "there is no section 'section 1': the document has 1 §0 to 1 §9"],
  ['an unknown section', '| 1 §44 | users | `#/info` |', "there is no section '1 §44': the document has 1 §0 to 1 §9"],
])('a row with %s is reported, with its line and the cause', (_, row, message) => {
  expect(problemsOf(row)).toEqual([`/crm.md:1 ${message}`]);
});

test('a row that repeats the source of an operation, a schema or a rule is reported', () => {
  expect(problemsOf(`| 1 §4 | users | \`#/paths/${path}/get/responses/200\` |`)).toEqual([
    `/crm.md:1 remove '#/paths/${path}/get/responses/200': its source already names 1 §4`,
  ]);
  expect(problemsOf('| 1 §2 | deal | `#/components/schemas/Deal/properties/id` |')).toHaveLength(1);
  expect(problemsOf('| 1 §1 | files | `rule:crm-files-by-path` |')).toHaveLength(1);
});

test('a section without a source or row is reported', () => {
  const covered = [{ spec, file: '/crm.md', text: '' }];
  expect(checkCoverage(covered)).toEqual([
    {
      file: '/crm.md',
      line: 1,
      column: 1,
      rule: 'coverage',
      message: 'no source or row names 1 §6: add a row for each of its lines',
    },
  ]);
});
