import { readFileSync } from 'node:fs';
import { coveragePath, parseCoverageTable } from '../../spec/coverage-table.ts';
import { describeSource } from '../../spec/source.ts';
import { methodOf, operationPath, pagePaths } from '../addresses.ts';
import {
  type CoverageRow,
  coverSections,
  type Item,
  type Kind,
  kinds,
  limitKeywords,
  listItems,
  type SectionCoverage,
} from '../coverage.ts';
import { placeFinder } from '../coverage-places.ts';
import { testCounter } from '../coverage-tests.ts';
import { nameSections } from '../fact-links.ts';
import { blocks, code, figures, folded, link, list, table, within } from '../markdown.ts';
import type { SitePage } from '../page.ts';
import type { Reference } from '../reference.ts';

const columns: Record<Kind, string> = {
  operations: 'Operations',
  fields: 'Fields',
  limits: 'Limits',
  values: 'Enum values',
  rules: 'Rules',
  errors: 'Errors',
};

const meanings: [string, string][] = [
  ['Fields', 'Properties of schemas, and parameters of paths and queries.'],
  ['Limits', `Each use of the keywords ${limitKeywords.map(code).join(', ')}.`],
  ['Rules', 'Rules of behaviour that a schema cannot express.'],
  ['Errors', 'Documented error codes, and documented statuses of 400 and above.'],
  ['Rows', 'Operations, types and rules that name the section as their source, and other lines of the section.'],
];

interface Covered extends Reference {
  items: Item[];
  sections: SectionCoverage[];
  rows: CoverageRow[];
}

/** Coverage of each document, from the sources in the specs and from the tables of lines that no source covers. */
export function coveragePage(references: readonly Reference[]): SitePage {
  const countTests = testCounter();
  const covered = references.map((reference): Covered => {
    const { spec } = reference;
    const items = listItems(spec);
    const rows = parseCoverageTable(readFileSync(coveragePath(spec.name), 'utf8'));
    const sections = coverSections(spec, items, rows);
    return { ...reference, items, sections, rows: sections.flatMap((section) => section.rows) };
  });
  const all = covered.flatMap(({ items }) => items);
  return {
    path: pagePaths.coverage,
    title: 'Coverage of the documents',
    description:
      'The facts of each section of the documents, and where each is in the specs, the client and the tests.',
    body: blocks(
      `The specs are written from [three documents](${pagePaths.documents}). This page counts the facts of each section and lists what comes from it. All figures are computed from the files of the project.`,
      figures(
        'Documents',
        ['Document', ...kinds.map((kind) => columns[kind]), 'Rows'],
        [
          ...covered.map(({ spec, items, rows }) => [spec.document.info.title, ...totals(items), String(rows.length)]),
          ['**Total**', ...totals(all), String(covered.reduce((sum, { rows }) => sum + rows.length, 0))],
        ],
      ),
      '## How it is counted',
      'A part of a request or reply has the sections of its operation or schema; a shared part without sections has those of the operations that use it. An item that has several sections is counted in each of them, and once in the total.',
      list(meanings.map(([name, text]) => `**${name}**: ${text}`)),
      ...covered.map((one) => documentSection(one, covered, countTests)),
    ),
  };
}

function totals(items: readonly Item[]): string[] {
  return kinds.map((kind) => String(items.filter((item) => item.kind === kind).length));
}

function documentSection(
  { spec, operations, sections, items, rows }: Covered,
  all: readonly Covered[],
  countTests: (method: string) => number,
): string {
  const find = placeFinder(all, spec.name);
  return blocks(
    `## ${spec.document.info.title}`,
    figures(
      `Sections of ${spec.document.info.title}`,
      ['Section', ...kinds.map((kind) => columns[kind]), 'Rows'],
      [
        ...sections.map(({ section, counts, rows: own }) => [
          nameSections(section),
          ...kinds.map((kind) => String(counts[kind])),
          String(own.length),
        ]),
        ['**Total**', ...totals(items), String(rows.length)],
      ],
    ),
    folded(
      `Operations (${operations.length})`,
      'The client, the sandbox, the mock and the samples have all of them: generated tests call each one. The last column counts only the other tests.',
      figures(
        `Operations of ${spec.document.info.title}`,
        ['Operation', 'Source', 'Method', 'Rules', 'Test files'],
        operations.map((operation) => {
          const { summary, 'x-source': source, 'x-rules': rules = [] } = operation.operation;
          return [
            link(summary, operationPath(operation)),
            source ? nameSections(source) : 'none',
            code(methodOf(operation)),
            String(rules.length),
            String(countTests(methodOf(operation))),
          ];
        }),
      ),
    ),
    ...sections.map(({ section, rows: own }) =>
      folded(
        `${describeSource(section)} (${own.length})`,
        within(
          'rows',
          table(
            ['Row', 'Place'],
            own.map(({ name, places }) => [`**${name}**`, places.map((place) => find(place)).join(', ')]),
          ),
        ),
      ),
    ),
  );
}
