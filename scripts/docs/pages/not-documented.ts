import { choices } from '../../../src/sandbox/rules/choices.ts';
import { markNames } from '../../spec/extensions.ts';
import { products } from '../../spec/files.ts';
import { type Gap, readGaps } from '../../spec/gaps.ts';
import { documentId, type OpenGroup } from '../../spec/open-points.ts';
import { describeSource } from '../../spec/source.ts';
import { operationPath, pagePaths, rulePath } from '../addresses.ts';
import { choicesOfGap } from '../facts/choices-of.ts';
import { markLabels } from '../facts/extensions.ts';
import type { Reference } from '../facts/reference.ts';
import { slugOf } from '../markdown/headings.ts';
import { blocks, code, facts, folded, link, list, searchWords, table, unsearched } from '../markdown/markdown.ts';
import type { SitePage } from '../markdown/page.ts';

/** The meaning of each mark: what is unknown, and what this project assumes. */
const meanings = {
  'x-open': [
    'The documents do not say it.',
    'Types and mock accept any form, and the client returns what it receives, unless the text says otherwise.',
  ],
  'x-inferred': ['The documents only imply it.', 'Types, mock and sandbox follow the text.'],
  'x-conflict': ['The documents contradict each other.', 'Both are accepted: the spec has the less strict form.'],
} as const satisfies Record<keyof typeof markLabels, readonly [string, string]>;

/** The most important gaps, then every mark of every spec, each with the sandbox's behaviour. */
export function notDocumentedPage(references: readonly Reference[]): SitePage {
  const groups = references.flatMap(({ openGroups }) => openGroups);
  const gaps = readGaps();
  return {
    path: pagePaths.open,
    title: 'What is not documented',
    description: 'What the documents do not say, what the client assumes, and what the sandbox does.',
    searchWords: 'open points, open questions, open issues, gaps, unknown, undocumented, missing documentation',
    body: blocks(
      `The [documents](${pagePaths.documents}) that the specs are written from have gaps. The specs mark each gap, and invent no facts to fill it.`,
      `## The ${gaps.length} gaps that matter most`,
      ...gaps.map((gap) => gapSection(gap, groups)),
      `## All ${countPoints(groups)} gaps`,
      'They are grouped by operation, by type, or by document if they concern all of it. Open a group to read its gaps, or search the page.',
      table(
        ['Mark', 'Meaning', 'What this project assumes'],
        markNames.map((mark) => [
          mark === 'x-open' ? 'none' : `(${markLabels[mark].toLowerCase()})`,
          ...meanings[mark],
        ]),
      ),
      `If the sandbox has to make a choice, its response names it. [These choices](${pagePaths.rules}#${slugOf(`Choices of the sandbox (${Object.keys(choices).length})`)}) are not facts.`,
      // Each gap is also on the pages of its operations, which the search finds.
      unsearched(
        blocks(
          ...references.map(({ spec, openGroups }) =>
            blocks(`### ${spec.document.info.title} (${countPoints(openGroups)})`, ...openGroups.map(groupSection)),
          ),
        ),
      ),
    ),
  };
}

function gapSection({ id, title, assumes, advice, search }: Gap, groups: readonly OpenGroup[]): string {
  const places = groups.filter(({ points }) => points.some(({ gap }) => gap === id));
  return blocks(
    `### ${title}`,
    search && searchWords(search),
    `<a id="${id}"></a>`,
    facts([
      ['The client assumes', assumes],
      [
        'The sandbox',
        choicesOfGap(id)
          .map(([choice, text]) => `${text} (${link(choice, rulePath(choice))})`)
          .join(' ') || 'Makes no choice.',
      ],
      ['What to do', advice],
      ['Where', places.map((group) => link(placeName(group), `#${group.id}`)).join(' · ')],
    ]),
  );
}

/** The points of a group. Those of an important gap lead to its section. */
export function openPoints({ points }: OpenGroup): string {
  return list(
    points.map(
      ({ mark, place, text, gap }) =>
        `${place && `${code(place)}: `}${mark === 'x-open' ? '' : `(${markLabels[mark].toLowerCase()}) `}${text.trim()}${gap === undefined ? '' : ` ${link('What client and sandbox do', `${pagePaths.open}#${gap}`)}.`}`,
    ),
  );
}

/** A group for a whole document is named after the document. */
function placeName({ id, title, spec }: OpenGroup): string {
  return id === documentId(spec) ? `${products[spec].label} document` : title;
}

/** One operation, type or document. A browser's text search also searches closed groups and opens the match. */
function groupSection(group: OpenGroup): string {
  const { id, title, operation, pointer, source, points } = group;
  return folded(
    `${title} (${points.length})`,
    // Inside the block, so that a link to it opens the block.
    `<a id="${id}"></a>`,
    openPoints(group),
    [
      operation &&
        `${link(operation.operation.summary, operationPath(operation))}${pointer === undefined ? '' : ' uses it'}.`,
      source !== undefined && `Closest to an answer: ${describeSource(source)}.`,
    ]
      .filter(Boolean)
      .join(' '),
  );
}

function countPoints(groups: readonly OpenGroup[]): number {
  return groups.reduce((sum, { points }) => sum + points.length, 0);
}
