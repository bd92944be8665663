import { inspect } from 'node:util';
import { z } from 'zod';
import { formatFigure } from '../../bench/headline.ts';
import type { Results } from '../../bench/results.ts';
import type { OperationModel } from '../../generate/model/operation-model.ts';
import { products } from '../../spec/files.ts';
import { listRules } from '../../spec/rules.ts';
import { guidePath, methodOf, pagePaths } from '../addresses.ts';
import type { ProductReference } from '../facts/product-reference.ts';
import { shortLabels } from '../guides/menu.ts';
import type { Guide } from '../guides/read-guides.ts';
import { slugOf } from '../markdown/headings.ts';
import { blocks, codeBlock, link, list } from '../markdown/markdown.ts';
import type { SitePage } from '../markdown/page.ts';
import { picture } from '../markdown/pictures.ts';

/** A short example that is easy to understand. */
const exampleOperation = 'createDeal';
const exampleFields = ['pipelineId', 'stepId', 'name'];

export function homePage(
  references: readonly ProductReference[],
  guides: readonly Guide[],
  results: Results,
): SitePage {
  const operations = references.flatMap((reference) => reference.operations);
  const example = operations.find(({ operationId }) => operationId === exampleOperation);
  if (!example)
    throw new Error(`The start page shows ${exampleOperation}, which no spec contains: choose another operation`);
  const tagline = `${operations.length} operations as typed methods for TypeScript, and the whole API in memory, so that you can build before you have a key.`;
  const { program, output } = exampleProgram(example);
  return {
    path: '/',
    title: 'Carillon: one typed client for CRM, messaging and email',
    description: tagline,
    body: blocks(
      '<div class="start-sample">',
      `<run-sample>\n\n${codeBlock(program, 'ts')}\n\n</run-sample>`,
      'It prints:',
      codeBlock(output, 'js'),
      '</div>',
      startLinksSection(guides),
      '<div class="pictures">',
      picture('inspector', 'Inside the sandbox: each request with its rule, records, clock and faults.'),
      picture(
        'terminal',
        'In a terminal: call a method, be asked before it deletes, and read what to do after a failure.',
      ),
      '</div>',
      figures(references, results),
      `Three [documents](${pagePaths.documents}) describe the platform. They state neither its name nor its address, so these pages use \`${addressOf(example)}\`.`,
    ),
    head: {
      tableOfContents: false,
      hero: {
        title: 'One typed client for CRM, messaging and email',
        tagline,
        actions: [
          { text: 'Make the first call', link: guidePath('first-call'), icon: 'right-arrow' },
          { text: 'What it is', link: guidePath('what-it-is'), variant: 'minimal' },
        ],
      },
    },
  };
}

/** The first links for each kind of reader. */
const startLinks: readonly { title: string; about: string; guides: readonly string[]; others: readonly string[] }[] = [
  {
    title: 'Build pages',
    about: 'The sandbox has every documented rule, the mock every documented example.',
    guides: ['sandbox', 'scenarios', 'mock', 'storybook'],
    others: [],
  },
  {
    title: 'Build services',
    about: 'Tokens, retries, paging and lost responses: every error says whether the call may have been processed.',
    guides: ['install', 'first-call', 'errors', 'authentication'],
    others: [],
  },
  {
    title: 'Work in bulk',
    about: 'Import, export and send from a terminal, with a question before a call that sends or cannot be undone.',
    guides: ['terminal', 'import-contacts', 'campaign', 'jobs'],
    others: [],
  },
  {
    title: 'Read the API',
    about: 'Each operation with its limits, rules and errors, and the gaps of the documents.',
    guides: [],
    others: [
      link('All methods', pagePaths.methods),
      link('Error codes', pagePaths.errors),
      link('What is not documented', pagePaths.gaps),
      link('OpenAPI files and Redoc', pagePaths.downloads),
    ],
  },
];

function startLinksSection(guides: readonly Guide[]): string {
  const guideLinks = (names: readonly string[]): string[] =>
    names.flatMap((name) => guides.find((guide) => guide.name === name) ?? []).map(guideLink);
  return blocks(
    '<div class="start-links">',
    ...startLinks.map(({ title, about, guides: names, others }) =>
      blocks('<div>', `**${title}**`, about, list([...guideLinks(names), ...others]), '</div>'),
    ),
    '</div>',
  );
}

/** Table of the products, and project figures with links to their pages. */
function figures(references: readonly ProductReference[], results: Results): string {
  const rules = references.flatMap(({ spec }) => listRules(spec));
  const gaps = references.flatMap(({ gapGroups }) => gapGroups).flatMap((group) => group.gaps);
  const shown: readonly (readonly [figure: string, about: string, path: string])[] = [
    ...references.map(
      ({ spec, operations }) =>
        [
          `${operations.length} operations`,
          `${products[spec.name].menu}: ${spec.openapi['x-tagGroups'].flatMap(({ tags }) => tags).join(', ')}`,
          `${pagePaths.methods}#${slugOf(spec.openapi.info.title)}`,
        ] as const,
    ),
    [`${rules.length} rules`, 'that the sandbox enforces, each with its source and its tests', pagePaths.rules],
    [`${gaps.length} gaps`, 'of the documents, each with what the client assumes', pagePaths.gaps],
    [
      `${formatFigure(results, 'bundle-size', 'carillon by method')} kB`,
      'gzipped for the whole client, compared with others',
      pagePaths.benchmarks,
    ],
  ];
  return blocks(
    '<div class="key-figures">',
    ...shown.map(([figure, about, path]) => `<div>\n\n${link(`**${figure}**`, path)} ${about}\n\n</div>`),
    '</div>',
  );
}

function guideLink({ name, title }: Guide): string {
  return link(shortLabels[name] ?? title, guidePath(name));
}

/** A complete program, generated from the specs, and what it prints with the sandbox. */
export function exampleProgram(operation: OperationModel): { program: string; output: string } {
  const example = z.record(z.string(), z.unknown()).parse(Object.values(operation.body?.examples ?? {})[0]?.value);
  const params = Object.fromEntries(exampleFields.map((name) => [name, example[name]]));
  return {
    program: `import { createClient } from 'carillon';
import { createSandbox } from 'carillon-sandbox';

const { fetch } = createSandbox();
const baseUrl = '${addressOf(operation)}';
const api = createClient({ baseUrl, auth: { apiKey: 'any' }, fetch });
const renewal = ${show(params)};
const { id, name, status } = await api.${methodOf(operation)}(renewal);
console.log({ id, name, status });`,
    output: show({ id: 10001, name: example.name, status: 1 }),
  };
}

function show(value: object): string {
  return inspect(value, { breakLength: Number.POSITIVE_INFINITY });
}

function addressOf(operation: OperationModel): string {
  return operation.spec.openapi.servers[0]?.variables?.base_url?.default ?? '';
}

/** Hosts serve it for an unknown address. The search fills in the pages whose words are in the address. */
export const notFoundPage: SitePage = {
  path: '/404/',
  title: 'Page not found',
  description: 'There is no page at this address.',
  body: blocks(
    'There is no page at this address. Choose one in the menu, or search.',
    '<ul data-suggestions></ul>',
    list([
      link('Guides', guidePath('what-it-is')),
      link('All methods', pagePaths.methods),
      link('Error codes', pagePaths.errors),
    ]),
  ),
  head: { template: 'doc', tableOfContents: false },
};
