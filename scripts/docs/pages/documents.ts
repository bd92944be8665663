import { products } from '../../spec/files.ts';
import { describeSource } from '../../spec/source.ts';
import { pagePaths } from '../addresses.ts';
import type { ProductReference } from '../facts/product-reference.ts';
import { blocks, code, table, within } from '../markdown/markdown.ts';
import type { SitePage } from '../markdown/page.ts';

/** Describes the documents that the specs are based on, which sources refer to. */
export function documentsPage(references: readonly ProductReference[]): SitePage {
  const example = '1 §2, §4';
  return {
    path: pagePaths.documents,
    title: 'The documents',
    description: 'The three documents that the specs are written from, and how sources are written.',
    body: blocks(
      'Three documents describe the API of the platform. They are the only source of facts about it. One spec is written from each document.',
      within(
        'rows',
        table(
          ['Document', 'Spec', 'Covers'],
          references.map(({ spec, operations }) => [
            `${products[spec.name].label} document (number ${spec.openapi.info['x-document'].number})`,
            code(`spec/${spec.name}.yaml`),
            `${spec.openapi['x-tagGroups'].map(({ name }) => name).join(', ')}: ${operations.length} operations`,
          ]),
        ),
      ),
      '## Where they are',
      `The documents are not part of the repository. You do not need them to use or to change the client: the specs contain every fact, with its section.`,
      '## How sources are written',
      `Operations and types name their source, such as *${describeSource(example)}*. In the specs, the same source is ${code(`x-source: ${example}`)}: the number of the document and its sections. The introduction before section 1 has the number 0.`,
      '## What they do not contain',
      `Facts that are not documented, only implied, or contradictory are marked in the specs and [listed on a page](${pagePaths.gaps}).`,
    ),
  };
}
