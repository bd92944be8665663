import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { z } from 'zod';
import type { OperationModel } from '../../generate/operation-model.ts';
import { repositoryRoot } from '../../spec/files.ts';
import { sdkOf } from '../../spec/parameters.ts';
import { guidePath, operationPath, pagePaths } from '../addresses.ts';
import type { Guide } from '../guides.ts';
import { blocks, codeBlock, link, list, table } from '../markdown.ts';
import { menu } from '../menu.ts';
import type { SitePage } from '../page.ts';
import type { Reference } from '../reference.ts';

/** A short example that is easy to understand. */
const exampleOperation = 'createDeal';
const exampleFields = ['pipelineId', 'stepId', 'name'];

export function homePage(references: readonly Reference[], guides: readonly Guide[]): SitePage {
  const operations = references.flatMap((reference) => reference.operations);
  const example = operations.find(({ operationId }) => operationId === exampleOperation);
  if (!example)
    throw new Error(`The start page shows ${exampleOperation}, which no spec contains: choose another operation`);
  const tagline =
    'A TypeScript client, a sandbox and a reference for one platform’s CRM, messaging-app campaigns, web push and email. The sandbox needs no key.';
  return {
    path: '/',
    title: 'Carillon: one typed client for CRM, messaging and email',
    description: tagline,
    body: blocks(
      codeBlock(exampleProgram(example), 'ts'),
      codeBlock(installCommands(), 'sh'),
      '## What do you want to do?',
      ...menu
        .filter(({ label }) => label !== 'Reference')
        .map(({ label, guides: names }) =>
          blocks(
            `**${label}**`,
            list(names.flatMap((name) => guides.find((guide) => guide.name === name) ?? []).map(guideLink)),
          ),
        ),
      blocks(
        '**Reference**',
        list([
          link('All methods', pagePaths.methods),
          link('Error codes', pagePaths.errors),
          link('The packages', pagePaths.packages),
          link('Redoc, OpenAPI files and a Postman collection', pagePaths.downloads),
        ]),
      ),
      '## The platform',
      `Three [documents](${pagePaths.documents}) describe it, with ${operations.length} operations. They state neither its name nor its address, so these pages use \`${addressOf(example)}\`.`,
      table(
        ['Part', 'Operations', 'Covers'],
        references.map(({ spec, operations: own }) => [
          spec.document.info.title,
          String(own.length),
          spec.document['x-tagGroups'].map(({ name, tags }) => `${name}: ${tags.join(', ')}`).join('\n\n'),
        ]),
      ),
      '## Why you can trust it',
      list([
        `${link('What is not documented', pagePaths.open)}: the gaps in the documents, and what this project assumes.`,
        `${link('What you cannot do', pagePaths.absences)}: requests that readers look for, and that do not exist.`,
        `${link('Rules and choices', pagePaths.rules)}: each rule of behaviour, with its source and its tests.`,
        `${link('Coverage of the documents', pagePaths.coverage)}: operations, fields, limits and rules for each section.`,
        `${link('Benchmarks', pagePaths.benchmarks)}: calls, bundles, types and servers, compared with other clients and mocks.`,
      ]),
    ),
    head: {
      tableOfContents: false,
      hero: {
        title: 'One typed client for CRM, messaging and email',
        tagline,
        actions: [
          { text: 'Make the first call', link: guidePath('first-call'), icon: 'right-arrow' },
          { text: 'Run a request in the browser', link: operationPath(example), variant: 'minimal' },
        ],
      },
    },
  };
}

function guideLink({ name, title }: Guide): string {
  return link(title, guidePath(name));
}

/** A complete program, generated from the specs, which runs against the sandbox. */
export function exampleProgram(operation: OperationModel): string {
  const example = z.record(z.string(), z.unknown()).parse(Object.values(operation.body?.examples ?? {})[0]?.value);
  const params = Object.fromEntries(exampleFields.map((name) => [name, example[name]]));
  const resource = `api.${operation.spec.name}.${sdkOf(operation).method}`.replace(/\.\w+$/, '');
  return `import { createClient } from 'carillon';
import { createSandbox } from 'carillon-sandbox';

const { fetch } = createSandbox(); // the whole API, in memory
const api = createClient({ baseUrl: '${addressOf(operation)}', auth: { apiKey: 'any' }, fetch });
const { id } = await ${resource}.create(${inspect(params, { breakLength: Number.POSITIVE_INFINITY })});
console.log(await ${resource}.get({ dealId: id }));`;
}

function addressOf(operation: OperationModel): string {
  return operation.spec.document.servers[0]?.variables?.base_url?.default ?? '';
}

/** Commands that install the unpublished client and sandbox: packed in a clone. */
export function installCommands(): string {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')));
  const install = `npm install ../carillon/carillon-${version}.tgz ../carillon/carillon-sandbox-${version}.tgz`;
  return `npm ci && npm run pack    # in a clone: writes the files of the packages
${install}    # in your project, beside the clone`;
}
