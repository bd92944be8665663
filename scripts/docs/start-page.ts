import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { z } from 'zod';
import { repositoryRoot } from '../spec/files.ts';
import type { SpecOperation } from '../spec/model.ts';
import { sdkOf } from '../spec/parameters.ts';
import { benchmarksPage } from './benchmarks-page.ts';
import { codeBlock } from './code-block.ts';
import { coveragePage } from './coverage-page.ts';
import type { Guide } from './guides.ts';
import { type Html, html, inlineCode } from './html.ts';
import { type Page, renderPage, startPage } from './layout.ts';
import { methodsPage } from './methods-page.ts';
import { openPage } from './open-page.ts';
import { packagePage } from './package-reference.ts';
import type { Reference } from './reference.ts';
import { rulesPage } from './rules-page.ts';
import { documentsPage } from './source-links.ts';
import { consoleLink } from './try/console-link.ts';

/** The operation of the example and of the console's first request: short and easy to understand. */
const exampleOperation = 'createDeal';
const exampleFields = ['pipelineId', 'stepId', 'name'];

const commands = [
  [
    'npm start',
    'Installs dependencies, generates the client and these pages from the specs, and serves them with the mock and the sandbox.',
  ],
  ['npm run sandbox', 'Starts only the sandbox: it stores what you create and enforces every documented rule.'],
  ['npm run mock', 'Starts only the mock: it checks requests against the specs and replies with their examples.'],
  ['npm run generate', 'Regenerates the client’s types, validators and operation tables after a change in `spec/`.'],
  ['npm run docs', 'Rebuilds these pages in `site/`. They open from disk and load nothing from a network.'],
] as const;

export function renderStart(references: Reference[], guides: readonly Guide[], pages: Page[]): string {
  const operations = references.flatMap((reference) => reference.operations);
  const body = html`<div class="start">
      <h1>One typed client for CRM, messaging and email</h1>
      <p class="lead">A TypeScript client, a sandbox and a reference for one platform’s CRM, messaging-app campaigns,
        web push and email. The sandbox needs no key.</p>
      <p class="actions"><a class="button" href="${consoleLink(exampleOperation)}">Send a request in this browser</a>
        <a href="${guides[0]?.page.file}">Read the first guide</a> <a href="${packagePage.file}">Package reference</a></p>
      ${codeBlock(renderExample(operations), 'ts')}
      ${codeBlock(installCommands(), 'sh')}
      <h2 id="tasks">What do you want to do?</h2>
      <ol class="tasks">${guides.map(({ page, title }) => html`<li><a href="${page.file}">${title}</a></li>`)}</ol>
      </div>

      <p>The client never creates or sends anything twice. By default, it assumes that a request answered with 429 or 401 was not processed:
        <a href="guide-errors.html#what-rests-on-an-assumption">replayCreates: false</a> turns that off.</p>

      <h2 id="references">The platform</h2>
      <p>Three <a href="${documentsPage.file}">documents</a> describe it, with ${operations.length} operations. They state neither its name
        nor its address, so these pages use <code>${addressOf(operations[0])}</code>. What they do not document is marked, and listed
        under <a href="${openPage.file}">${openPage.label}</a>.</p>
      <ul class="cards">${references.map(renderCard)}</ul>

      <h2 id="run">In a clone of the project</h2>
      <p>To start, run <code>npm start</code>. The other commands run its parts.</p>
      <dl class="commands">${commands.map(
        ([command, effect]) => html`<div><dt><code>${command}</code></dt><dd>${inlineCode(effect)}</dd></div>`,
      )}</dl>

      <h2 id="trust">Why you can trust it</h2>
      <ul class="plain">
        <li><a href="${coveragePage.file}">${coveragePage.label}</a>: operations, fields, limits and rules for each section of the documents.</li>
        <li><a href="${methodsPage.file}">${methodsPage.label}</a>: every method, and whether it reads, writes, deletes or sends.</li>
        <li><a href="${rulesPage.file}">${rulesPage.label}</a>: each rule of behaviour, with its source and its tests.</li>
        <li><a href="${openPage.file}">${openPage.label}</a>: gaps in the documents, and what this project assumes.</li>
        <li><a href="${benchmarksPage.file}">${benchmarksPage.label}</a>: calls, bundles, types and servers, compared with other clients and mocks.</li>
      </ul>`;
  return renderPage({
    title: 'Carillon: one typed client for CRM, messaging and email',
    pages,
    page: startPage,
    body,
    styles: ['code.css', 'start.css'],
  });
}

function renderCard({ spec, page, operations }: Reference): Html {
  const { title } = spec.document.info;
  const { summary } = z.object({ summary: z.string().default('') }).parse(spec.document.info);
  const covers = spec.document['x-tagGroups'].map(
    ({ name, tags }) =>
      html`<div><dt>${name}</dt><dd>${tags.map((tag) => describeTag(tag, operations)).join(', ')}</dd></div>`,
  );
  return html`<li class="card">
        <h3><a href="${page.file}">${title}</a></h3>
        <p class="count"><strong>${operations.length}</strong> operations${deprecations(operations)}</p>
        <p>${summary}</p>
        <dl>${covers}</dl>
      </li>`;
}

function describeTag(tag: string, operations: SpecOperation[]): string {
  return `${tag} (${operations.filter(({ operation }) => operation.tags.includes(tag)).length})`;
}

function deprecations(operations: SpecOperation[]): string {
  const count = operations.filter(({ operation }) => operation.deprecated).length;
  return count > 0 ? `, ${count} deprecated` : '';
}

/** A complete program, generated from the specs. It runs as it is: the sandbox answers it. */
export function renderExample(operations: readonly SpecOperation[]): string {
  const operation = operations.find(({ operationId }) => operationId === exampleOperation);
  if (!operation)
    throw new Error(`The start page shows ${exampleOperation}, which no spec contains: choose another operation`);
  const example = z.record(z.string(), z.unknown()).parse(Object.values(operation.body?.examples ?? {})[0]?.value);
  const params = Object.fromEntries(exampleFields.map((name) => [name, example[name]]));
  const resource = `api.${operation.spec.name}.${sdkOf(operation).method}`.replace(/\.\w+$/, '');
  return `import { createClient } from 'carillon';
import { createSandbox } from 'carillon-sandbox';

const { fetch } = createSandbox(); // the whole API in memory: without it, requests go to the service
const api = createClient({ baseUrl: '${addressOf(operation)}', auth: { apiKey: 'any' }, fetch });
const { id } = await ${resource}.create(${inspect(params, { breakLength: Number.POSITIVE_INFINITY })});
console.log(await ${resource}.get({ dealId: id }));`;
}

function addressOf(operation: SpecOperation | undefined): string {
  return operation?.spec.document.servers[0]?.variables?.base_url?.default ?? '';
}

/** How to install the client and the sandbox while they are not published: they are packed in a clone. */
export function installCommands(): string {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')));
  const install = `npm install ../carillon/carillon-${version}.tgz ../carillon/carillon-sandbox-${version}.tgz`;
  return `npm ci && npm run pack    # in a clone: writes the files of the packages
${install}    # in your project, beside the clone`;
}
