import { z } from 'zod';
import { methodCall } from '../generate/method-call.ts';
import type { SpecOperation } from '../spec/model.ts';
import { flatFields } from '../spec/parameters.ts';
import { benchmarksPage } from './benchmarks-page.ts';
import { coveragePage } from './coverage-page.ts';
import type { Guide } from './guides.ts';
import { type Html, html, inlineCode } from './html.ts';
import { type Page, renderPage, startPage } from './layout.ts';
import { openPage } from './open-page.ts';
import { packagePage } from './package-reference.ts';
import type { Reference } from './reference.ts';
import { rulesPage } from './rules-page.ts';
import { documentsPage } from './source-links.ts';
import { tryPage } from './try-page.ts';

/** The operation of the example: short and easy to understand. */
const exampleOperation = 'createDeal';

const commands = [
  [
    'npm start',
    'Installs dependencies, generates the client and these pages from the specs, and serves them with the mock and the sandbox.',
  ],
  ['npm run sandbox', 'Starts only the sandbox: it stores what you create and enforces every documented rule.'],
  ['npm run mock', 'Starts only the mock: it checks requests against the specs and returns their examples.'],
  ['npm run generate', 'Regenerates the client’s types, validators and operation tables after a change in `spec/`.'],
  ['npm run docs', 'Rebuilds these pages in `site/`. They open from disk and load nothing from a network.'],
] as const;

export function renderStart(references: Reference[], guides: readonly Guide[], pages: Page[]): string {
  const total = references.reduce((sum, { operations }) => sum + operations.length, 0);
  const body = html`<div class="start">
      <h1>One typed client for CRM, messaging and email</h1>
      <p class="lead">A TypeScript client, a mock, a stateful sandbox and these pages, all generated from three OpenAPI files. To use it
        without an account, run <code>npm start</code> in a clone, or <a href="${tryPage.file}">try it in this browser</a>.</p>
      <h2 id="tasks">What do you want to do?</h2>
      <ol class="tasks">${guides.map(({ page, title }) => html`<li><a href="${page.file}">${title}</a></li>`)}</ol>
      </div>

      <h2 id="references">References</h2>
      <p>${total} operations in ${references.length} files, each with runnable code. Every fact comes from the platform’s
        <a href="${documentsPage.file}">documents</a>; gaps are marked, and listed under <a href="${openPage.file}">${openPage.label}</a>.</p>
      <ul class="cards">${references.map(renderCard)}</ul>

      <h2 id="example">A first call</h2>
      <p>Every operation is a method. It takes path, query and body fields as one object and returns the payload.
        It throws a typed error if the call fails. See the <a href="${packagePage.file}">package reference</a> for details.</p>
      <pre tabindex="0"><code>${renderExample(references.flatMap(({ operations }) => operations))}</code></pre>

      <h2 id="run">Run it</h2>
      <p>Run these commands in a clone of the project. To begin, you need only <code>npm start</code>.</p>
      <dl class="commands">${commands.map(
        ([command, effect]) => html`<div><dt><code>${command}</code></dt><dd>${inlineCode(effect)}</dd></div>`,
      )}</dl>

      <h2 id="trust">Why you can trust it</h2>
      <ul class="plain">
        <li><a href="${coveragePage.file}">${coveragePage.label}</a>: operations, fields, limits and rules for each section of the documents.</li>
        <li><a href="${rulesPage.file}">${rulesPage.label}</a>: each rule of behaviour, with its source and its tests.</li>
        <li><a href="${openPage.file}">${openPage.label}</a>: gaps in the documents, and what this project assumes.</li>
        <li><a href="${benchmarksPage.file}">${benchmarksPage.label}</a>: calls, bundles, types and servers, compared with other clients and mocks.</li>
      </ul>`;
  return renderPage({ title: startPage.label, pages, page: startPage, body });
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

/** A complete program, generated from the specs. */
export function renderExample(operations: SpecOperation[]): string {
  const operation = operations.find(({ operationId }) => operationId === exampleOperation);
  if (!operation)
    throw new Error(`The start page shows ${exampleOperation}, which no spec contains: choose another operation`);
  const server = operation.spec.document.servers[0]?.variables?.base_url?.default ?? '';
  return `import { createClient } from 'carillon';

const api = createClient({ baseUrl: '${server}', auth: { apiKey: 'my-key' } });

const deal = ${methodCall(operation, flatFields(operation))};
console.log(deal.id);`;
}
