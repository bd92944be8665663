import { effectTexts } from '../../src/cli/catalogue/type-text.ts';
import type { SpecOperation } from '../spec/model.ts';
import { Html, html, inlineCode } from './html.ts';
import { type Page, readTemplate, renderPage } from './layout.ts';
import { anchorOf } from './open-points.ts';
import type { Reference } from './reference.ts';
import { methodOf } from './search/operation-entries.ts';
import { renderTable } from './table.ts';
import { consoleLink } from './try/console-link.ts';

export const methodsPage: Page = { file: 'methods.html', label: 'Methods', menu: 'project' };

const effects = ['read', 'write', 'delete', 'send'] as const;

/** The catalogue: every method with its effect, which a reader can filter by words and by effect. */
export function renderMethodsPage(references: readonly Reference[], pages: Page[]): string {
  const operations = references.flatMap((reference) => reference.operations);
  const count = (effect: string): number =>
    operations.filter(({ operation }) => operation['x-effect'] === effect).length;
  const body = html`<h1>Methods</h1>
      <p class="lead">All ${operations.length} methods of the client, and what a call does. The commands <code>carillon</code> and
        <code>carillon-mcp</code> use the same list: they ask before they delete, reach people or cost money.</p>
      <form id="filter" role="search" class="filter" hidden>
        <label>Words <input type="search" name="words" autocomplete="off" placeholder="note deal"></label>
        <fieldset><legend>Effect</legend>${effects.map(
          (effect) =>
            html`<label><input type="checkbox" name="effect" value="${effect}" checked> ${effect} (${count(effect)})</label>`,
        )}</fieldset>
        <output aria-live="polite"></output>
      </form>
      <p>${effects.map((effect, index) => html`${index > 0 && ' · '}<span class="effect ${effect}">${effect}</span> ${effectTexts[effect]}`)}</p>
      <p>For agents: <a href="llms.txt">llms.txt</a> lists the methods, and <a href="llms-full.txt">llms-full.txt</a> has all
        parameters, limits, rules and examples.</p>
      ${references.map(
        ({ spec, page, operations: own }) => html`<section id="${spec.name}"><h2>${spec.document.info.title}</h2>
        ${renderTable(
          ['Method', 'What it does', 'Effect'],
          own.map((operation) => renderMethod(operation, page)),
        )}</section>`,
      )}
      <script>${new Html(readTemplate('methods.js'))}</script>`;
  return renderPage({ title: methodsPage.label, pages, page: methodsPage, body, styles: ['methods.css'] });
}

function renderMethod(operation: SpecOperation, page: Page): Html[] {
  const { operation: source, operationId, method, base, path } = operation;
  const name = methodOf(operation);
  const effect = source['x-effect'];
  return [
    html`<a id="${name}" href="${page.file}${anchorOf(operation)}"><code>${name}</code></a>
            <span class="place">${method} ${base}${path}</span>`,
    html`${inlineCode(source.summary)}${source.deprecated === true && ' (deprecated)'}
            <a class="place" href="${consoleLink(operationId)}" aria-label="Try it: ${name}">Try it</a>`,
    html`<span class="effect ${effect}">${effect}</span>`,
  ];
}
