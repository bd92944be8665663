import { expect, test } from 'vitest';
import { judgeReports } from '../../../scripts/release/methods.ts';

const base = `info version 1.0.0
operation updateDeal: PUT /crm/v1/deals/{dealId}
operation updateDeal method deals.update
operation updateDeal effect write
operation updateDeal body: -> DealUpdate required
operation updateDeal path.dealId: integer required
operation updateDeal payload body.data
operation updateDeal reply 200 application/json.data: -> Deal required
operation updateDeal reply 200 application/json: object
operation updateDeal status 200
schema Deal: object open
schema Deal.stage: -> Stage
schema DealUpdate: object
schema DealUpdate.ids: array maxItems=500
schema DealUpdate.ids[]: integer
schema DealUpdate.name: string|null pattern="^a: [b ]+$"
schema DealUpdate.stage: -> Stage
schema Stage: string
schema Stage enum "lost"
schema Stage enum "won"
`;

const change = (from: string, to: string) => judgeReports('crm', base, base.replace(from, to));
const impacts = (from: string, to: string) => change(from, to).map(({ impact }) => impact);

test('a limit of a request breaks if it is lowered or new, but not if it is raised or removed', () => {
  expect(impacts('maxItems=500', 'maxItems=200')).toEqual(['break']);
  expect(impacts('maxItems=500', 'maxItems=1000')).toEqual(['addition']);
  expect(impacts(' maxItems=500', '')).toEqual(['addition']);
  expect(impacts('DealUpdate.ids[]: integer', 'DealUpdate.ids[]: integer maximum=9')).toEqual(['break']);
});

test('a schema of requests and replies breaks in either direction, and the sentence names the breaking one', () => {
  expect(change('schema Stage enum "lost"\n', '')).toEqual([
    {
      surface: 'methods',
      impact: 'break',
      place: 'crm Stage enum "lost"',
      sentence: '`Stage` can no longer be "lost" in requests of `crm.deals.update`. Check the values that you send.',
    },
  ]);
  expect(change('enum "won"', 'enum "won"\nschema Stage enum "open"')).toEqual([
    {
      surface: 'methods',
      impact: 'break',
      place: 'crm Stage enum "open"',
      sentence: '`Stage` can now be "open" in replies of `crm.deals.update`. Check the code that reads it.',
    },
  ]);
});

test('a renamed schema is compared by its content', () => {
  const renamed = base.replaceAll('-> Stage', '-> Status').replaceAll('schema Stage', 'schema Status');
  expect(judgeReports('crm', base, renamed).map(({ sentence }) => sentence)).toEqual([
    'The type `Crm.Stage` no longer exists. Use another type in your code.',
  ]);
  const narrower = renamed.replace('schema Status enum "lost"\n', '');
  expect(judgeReports('crm', base, narrower).map(({ place }) => place)).toEqual([
    'crm Deal.stage enum "lost"',
    'crm DealUpdate.stage enum "lost"',
    'crm Stage',
  ]);
});

test('a recursive schema is compared completely', () => {
  const tree = 'schema Tree: object\nschema Tree.next: -> Tree\nschema Deal.tree: -> Tree\n';
  const other = tree.replaceAll('Tree', 'Plant').replace('Plant: object', 'Plant: object|null');
  expect(
    judgeReports('crm', base + tree, base + other.replace('Deal.tree: -> Plant', 'Deal.tree: -> Plant')).map(
      ({ place }) => place,
    ),
  ).toEqual(['crm Deal.tree type', 'crm Tree']);
});

test.each([
  ['an unknown fact of an operation', 'operation updateDeal colour red'],
  ['an unknown fact of the whole spec', 'info colour red'],
  ['an unknown mark of a field', 'schema DealUpdate.more: string shiny'],
  ['an unknown keyword of a field', 'schema DealUpdate.more: string multipleOf=5'],
  ['an unknown kind of line', 'webhook dealChanged: POST'],
])('%s stops the check, even if only the new release has it', (_, line) => {
  const words = /release check/;
  expect(() => judgeReports('crm', base, `${base}${line}\n`)).toThrow(words);
  const known = base.replace('schema DealUpdate.ids[]: integer', 'schema DealUpdate.ids[]: integer multipleOf=5');
  expect(() => judgeReports('crm', base, known)).toThrow(words);
});

test('a reworded condition is not a change', () => {
  const one = 'schema DealUpdate not {"description":"One.","required":["name"]}\n';
  expect(judgeReports('crm', base + one, base + one.replace('One.', 'Another.'))).toEqual([]);
  expect(judgeReports('crm', base + one, base + one.replace('"name"', '"ids"')).map(({ impact }) => impact)).toEqual([
    'break',
  ]);
});

test('a removed method is one line, also for the types that only it used', () => {
  const without = base
    .split('\n')
    .filter((line) => !/updateDeal|DealUpdate/.test(line))
    .join('\n');
  expect(judgeReports('crm', base, without).map(({ impact, sentence }) => `${impact}: ${sentence}`)).toEqual([
    'break: `crm.deals.update` (`PUT /crm/v1/deals/{dealId}`) no longer exists. Remove its calls.',
  ]);
  expect(judgeReports('crm', without, base).map(({ impact, sentence }) => `${impact}: ${sentence}`)).toEqual([
    'addition: `crm.deals.update` (`PUT /crm/v1/deals/{dealId}`) is new.',
  ]);
});

test.each([
  [
    'PUT /crm/v1',
    'PUT /crm/v2',
    'break: `crm.deals.update` moves from `PUT /crm/v1/deals/{dealId}` to `PUT /crm/v2/deals/{dealId}`. Change calls by path.',
  ],
  ['status 200', 'status 201', 'break: `crm.deals.update` no longer documents the reply with status 200.'],
  [
    'status 200\n',
    'status 200\noperation updateDeal status 409\n',
    'addition: `crm.deals.update` documents the reply with status 409.',
  ],
  [
    'status 200\n',
    'status 200\noperation updateDeal security [{"other":[]}]\n',
    'break: `crm.deals.update` needs another credential: [{"other":[]}].',
  ],
  [
    'status 200\n',
    'status 200\noperation updateDeal security []\n',
    'addition: `crm.deals.update` needs no credential.',
  ],
])('the wire: %s → %s', (from, to, line) => {
  expect(change(from, to).map(({ impact, sentence }) => `${impact}: ${sentence}`)).toContain(line);
});

test.each([
  ['an error code', 'error 3088 -> late', 'error 3088', 'error code 3088'],
  ['a rule', 'rule late (2 §4)', 'rule late', 'rule `late`'],
])(
  'a changed meaning of %s is one line that says to read it, neither a break nor silence',
  (_, fact, subject, told) => {
    const before = `${base}operation updateDeal ${fact}\noperation updateDeal meaning of ${subject}: "It: is late."\n`;
    expect(judgeReports('crm', before, before.replace('It: is late.', 'It is early.'))).toEqual([
      {
        surface: 'methods',
        impact: 'fix',
        place: `crm updateDeal meaning of ${subject}`,
        sentence: `\`crm.deals.update\` has another meaning of the ${told}: read it.`,
      },
    ]);
  },
);

test.each([
  ['a value', 'schema Stage', '"won"', 'value "won"'],
  ['limits', 'schema DealUpdate.ids', 'limits', 'limits'],
])('a changed meaning of %s is one line that says to read it', (_, schema, subject, told) => {
  const before = `${base}${schema} meaning of ${subject}: "One: thing."\n`;
  const [verdict, ...others] = judgeReports('crm', before, before.replace('One: thing.', 'Another.'));
  expect(others).toEqual([]);
  expect(verdict).toMatchObject({ impact: 'fix', sentence: expect.stringContaining(`${told}: read it`) });
});

test('a report without meanings, from before there were any, changes none', () => {
  const after = `${base}schema Stage meaning of "won": "The deal is won."\n`;
  expect(judgeReports('crm', base, after)).toEqual([]);
  expect(judgeReports('crm', after, base)).toEqual([]);
});
