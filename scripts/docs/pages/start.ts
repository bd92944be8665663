import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { z } from 'zod';
import { formatFigure } from '../../bench/headline.ts';
import type { Results } from '../../bench/results.ts';
import type { OperationModel } from '../../generate/model/operation-model.ts';
import { repositoryRoot } from '../../spec/files.ts';
import { sdkOf } from '../../spec/parameters.ts';
import { listRules } from '../../spec/rules.ts';
import { guidePath, pagePaths } from '../addresses.ts';
import { drawDiagram, type Guide, picture } from '../guides.ts';
import { blocks, codeBlock, link, list, table, tabs } from '../markdown.ts';
import { shortLabels } from '../menu.ts';
import type { SitePage } from '../page.ts';
import type { Reference } from '../reference.ts';

/** A short example that is easy to understand. */
const exampleOperation = 'createDeal';
const exampleFields = ['pipelineId', 'stepId', 'name'];

export function homePage(references: readonly Reference[], guides: readonly Guide[], results: Results): SitePage {
  const operations = references.flatMap((reference) => reference.operations);
  const example = operations.find(({ operationId }) => operationId === exampleOperation);
  if (!example)
    throw new Error(`The start page shows ${exampleOperation}, which no spec contains: choose another operation`);
  const tagline = `For TypeScript developers: ${operations.length} operations as typed methods, and the whole API in memory, so that you can build before you have a key.`;
  return {
    path: '/',
    title: 'Carillon: one typed client for CRM, messaging and email',
    description: tagline,
    body: blocks(
      '<div class="start-sample">',
      `<run-sample>\n\n${codeBlock(exampleProgram(example), 'ts')}\n\n</run-sample>`,
      '</div>',
      doors(guides),
      '<div class="pictures">',
      picture('inspector', 'Inside the sandbox: each request with its rule, records, clock and faults.'),
      picture('terminal', 'In a terminal: find a method, call it, and be asked before it deletes.'),
      '</div>',
      figures(references, results),
      '<div class="columns">\n<div>',
      '## Install',
      'The packages are not published yet. In a clone, write their files:',
      codeBlock('npm ci && npm run pack', 'sh'),
      'In your project, beside the clone:',
      installTabs(),
      '## What it covers',
      `Three [documents](${pagePaths.documents}) describe the platform. They state neither its name nor its address, so these pages use \`${addressOf(example)}\`.`,
      table(
        ['Part', 'Operations'],
        references.map(({ spec, operations: own }) => [
          `**${spec.document.info.title}**\n\n${spec.document['x-tagGroups'].flatMap(({ tags }) => tags).join(', ')}`,
          String(own.length),
        ]),
      ),
      '</div>\n<div>',
      '## From three documents to everything',
      drawDiagram(
        'specs.svg',
        'Each fact about the API is written once, in the specs. Everything else is generated from them.',
      ),
      '</div>\n</div>',
    ),
    head: {
      tableOfContents: false,
      hero: {
        title: 'One typed client for CRM, messaging and email',
        tagline,
        actions: [
          { text: 'Make the first call', link: guidePath('first-call'), icon: 'right-arrow' },
          { text: 'Read the API', link: pagePaths.methods, variant: 'minimal' },
        ],
      },
    },
  };
}

/** Three ways into the site, for three kinds of reader. */
const doorsOf: readonly { title: string; about: string; guides: readonly string[]; others: readonly string[] }[] = [
  {
    title: 'Build an app',
    about: 'Tokens, retries, paging and errors are handled. Nothing is created or sent twice.',
    guides: ['install', 'first-call', 'errors', 'jobs'],
    others: [],
  },
  {
    title: 'Build a page without a key',
    about: 'A sandbox with every documented rule, and a mock with every documented example.',
    guides: ['sandbox', 'scenarios', 'mock', 'storybook'],
    others: [],
  },
  {
    title: 'Read the API',
    about: 'Each operation with parameters, limits, rules and errors, and the gaps of the documents.',
    guides: [],
    others: [
      link('All methods', pagePaths.methods),
      link('Error codes', pagePaths.errors),
      link('What is not documented', pagePaths.open),
      link('OpenAPI files and Redoc', pagePaths.downloads),
    ],
  },
];

function doors(guides: readonly Guide[]): string {
  const guideLinks = (names: readonly string[]): string[] =>
    names.flatMap((name) => guides.find((guide) => guide.name === name) ?? []).map(guideLink);
  return blocks(
    '<div class="doors">',
    ...doorsOf.map(({ title, about, guides: names, others }) =>
      blocks('<div>', `**${title}**`, about, list([...guideLinks(names), ...others]), '</div>'),
    ),
    '</div>',
  );
}

/** Figures about the project, each with the page that proves it. */
function figures(references: readonly Reference[], results: Results): string {
  const rules = references.flatMap(({ spec }) => listRules(spec));
  const points = references.flatMap(({ openGroups }) => openGroups).flatMap((group) => group.points);
  const shown = [
    [`${rules.length} rules`, 'that the sandbox enforces, each with its source and its tests', pagePaths.rules],
    [`${points.length} gaps`, 'of the documents, each with what the client assumes', pagePaths.open],
    [
      `${formatFigure(results, 'bundle-size', 'carillon by method')} kB`,
      'gzipped for the whole client, compared with others',
      pagePaths.benchmarks,
    ],
  ] as const;
  return blocks(
    '<div class="proof">',
    ...shown.map(([figure, about, path]) => `<div>\n\n${link(`**${figure}**`, path)} ${about}\n\n</div>`),
    '</div>',
  );
}

function guideLink({ name, title }: Guide): string {
  return link(shortLabels[name] ?? title, guidePath(name));
}

/** A complete program, generated from the specs, which runs against the sandbox. */
export function exampleProgram(operation: OperationModel): string {
  const example = z.record(z.string(), z.unknown()).parse(Object.values(operation.body?.examples ?? {})[0]?.value);
  const params = Object.fromEntries(exampleFields.map((name) => [name, example[name]]));
  const resource = `api.${operation.spec.name}.${sdkOf(operation).method}`.replace(/\.\w+$/, '');
  return `import { createClient } from 'carillon';
import { createSandbox } from 'carillon-sandbox';

const api = createClient({
  baseUrl: '${addressOf(operation)}',
  auth: { apiKey: 'any' },
  fetch: createSandbox().fetch, // the whole API, in memory
});
const renewal = ${inspect(params, { breakLength: Number.POSITIVE_INFINITY })};
const { id } = await ${resource}.create(renewal);
console.log(await ${resource}.get({ dealId: id }));`;
}

function addressOf(operation: OperationModel): string {
  return operation.spec.document.servers[0]?.variables?.base_url?.default ?? '';
}

const packageManagers: readonly (readonly [name: string, command: string])[] = [
  ['npm', 'npm install'],
  ['pnpm', 'pnpm add'],
  ['yarn', 'yarn add'],
  ['bun', 'bun add'],
];

/** The command that installs the packed client and sandbox, for each package manager. */
function installTabs(): string {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')));
  const files = ['carillon', 'carillon-sandbox'].map((name) => `../carillon/${name}-${version}.tgz`).join(' ');
  return tabs(
    'package-manager',
    packageManagers.map(([name, command]) => ({
      id: name,
      label: name,
      content: codeBlock(`${command} ${files}`, 'sh'),
    })),
  );
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
