import { choices } from '../../../src/sandbox/rules/choices.ts';
import { gapKinds } from '../../spec/extensions.ts';
import { products } from '../../spec/files.ts';
import { documentId, type GapGroup } from '../../spec/gaps.ts';
import { type NamedGap, readNamedGaps } from '../../spec/named-gaps.ts';
import { describeSource } from '../../spec/source.ts';
import { operationPath, pagePaths, rulePath } from '../addresses.ts';
import { choicesOfGap } from '../facts/choices-of.ts';
import { gapLabels } from '../facts/describe-extensions.ts';
import type { ProductReference } from '../facts/product-reference.ts';
import { slugOf } from '../markdown/headings.ts';
import { blocks, code, factList, folded, link, list, searchWords, table, unsearched } from '../markdown/markdown.ts';
import type { SitePage } from '../markdown/page.ts';

/** The meaning of each kind of gap: what is unknown, and what this project assumes. */
const meanings = {
  'x-open': [
    'The documents do not say it.',
    'Types and mock accept any form, and the client returns what it receives, unless the text says otherwise.',
  ],
  'x-inferred': ['The documents only imply it.', 'Types, mock and sandbox follow the text.'],
  'x-conflict': ['The documents contradict each other.', 'Both are accepted: the spec has the less strict form.'],
} as const satisfies Record<keyof typeof gapLabels, readonly [string, string]>;

/** The gaps that most programs meet, then every gap of every spec, each with the sandbox's behaviour. */
export function notDocumentedPage(references: readonly ProductReference[]): SitePage {
  const groups = references.flatMap(({ gapGroups }) => gapGroups);
  const named = readNamedGaps();
  return {
    path: pagePaths.gaps,
    title: 'What is not documented',
    description: 'What the documents do not say, what the client assumes, and what the sandbox does.',
    searchWords: 'open points, open questions, open issues, gaps, unknown, undocumented, missing documentation',
    body: blocks(
      `The [documents](${pagePaths.documents}) that the specs are written from have gaps. The specs mark each gap, and invent no facts to fill it.`,
      `## The ${named.length} gaps that matter most`,
      ...named.map((gap) => gapSection(gap, groups)),
      `## All ${countGaps(groups)} gaps`,
      'They are grouped by operation, by type, or by document if they concern all of it. Open a group to read its gaps, or search the page.',
      table(
        ['Mark', 'Meaning', 'What this project assumes'],
        gapKinds.map((kind) => [kind === 'x-open' ? 'none' : `(${gapLabels[kind].toLowerCase()})`, ...meanings[kind]]),
      ),
      `If the sandbox has to make a choice, its response names it. [These choices](${pagePaths.rules}#${slugOf(`Choices of the sandbox (${Object.keys(choices).length})`)}) are not facts.`,
      // Each gap is also on the pages of its operations, which the search finds.
      unsearched(
        blocks(
          ...references.map(({ spec, gapGroups }) =>
            blocks(`### ${spec.openapi.info.title} (${countGaps(gapGroups)})`, ...gapGroups.map(groupSection)),
          ),
        ),
      ),
    ),
  };
}

function gapSection({ id, title, assumes, advice, search }: NamedGap, groups: readonly GapGroup[]): string {
  const places = groups.filter(({ gaps }) => gaps.some(({ gap }) => gap === id));
  return blocks(
    `### ${title}`,
    search && searchWords(search),
    `<a id="${id}"></a>`,
    factList([
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

/** The gaps of a group. A named one leads to its section. */
export function gapList({ gaps }: GapGroup): string {
  return list(
    gaps.map(
      ({ kind, place, text, gap }) =>
        `${place && `${code(place)}: `}${kind === 'x-open' ? '' : `(${gapLabels[kind].toLowerCase()}) `}${text.trim()}${gap === undefined ? '' : ` ${link('What client and sandbox do', `${pagePaths.gaps}#${gap}`)}.`}`,
    ),
  );
}

/** A group for a whole document is named after the document. */
function placeName({ id, title, spec }: GapGroup): string {
  return id === documentId(spec) ? `${products[spec].label} document` : title;
}

/** One operation, type or document. A browser's text search also searches closed groups and opens the match. */
function groupSection(group: GapGroup): string {
  const { id, title, operation, pointer, source, gaps } = group;
  return folded(
    `${title} (${gaps.length})`,
    // Inside the block, so that a link to it opens the block.
    `<a id="${id}"></a>`,
    gapList(group),
    [
      operation &&
        `${link(operation.operation.summary, operationPath(operation))}${pointer === undefined ? '' : ' uses it'}.`,
      source !== undefined && `Closest source: ${describeSource(source)}.`,
    ]
      .filter(Boolean)
      .join(' '),
  );
}

function countGaps(groups: readonly GapGroup[]): number {
  return groups.reduce((sum, { gaps }) => sum + gaps.length, 0);
}
