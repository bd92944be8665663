import { choices } from '../../src/sandbox/choices.ts';
import { listRules, type SpecRule } from '../spec/rules.ts';
import { type Html, html, inlineCode } from './html.ts';
import { type Page, renderPage } from './layout.ts';
import { anchorOf } from './open-points.ts';
import type { Reference } from './reference.ts';
import { renderTable } from './table.ts';
import { rulesFile } from './try/ids.ts';

export const rulesPage: Page = { file: rulesFile, label: 'Rules' };

/**
 * Every rule of every spec with the tests that hold it, and what the sandbox decides where the documents say nothing.
 *
 * @param tests - the test files that name an id in a title, by that id
 */
export function renderRulesPage(
  references: Reference[],
  pages: Page[],
  tests: ReadonlyMap<string, readonly string[]>,
): string {
  const title = 'Rules and choices';
  const groups = references.map((reference) => ({ ...reference, rules: listRules(reference.spec) }));
  const decided = Object.entries(choices);
  const body = html`<h1>${title}</h1>
      <p class="lead">The sandbox knows every rule of behaviour that the documents state. A request that it refuses names the
        rule in the header <code>x-sandbox-rule</code>. Each rule is held by at least one test.</p>
      <nav aria-label="On this page"><ul class="inline">${groups.map(
        ({ spec, rules }) => html`<li><a href="#${spec.name}">${spec.document.info.title}</a> (${rules.length})</li>`,
      )}<li><a href="#choices">Choices of the sandbox</a> (${decided.length})</li></ul></nav>
      ${groups.map(
        ({ spec, page, rules }) => html`<section id="${spec.name}"><h2>${spec.document.info.title}</h2>
        ${renderTable(
          ['Rule', 'Document', 'Operation', 'Test'],
          rules.map((rule) => renderRule(rule, page, tests.get(rule.id))),
        )}</section>`,
      )}
      <section id="choices"><h2>Choices of the sandbox</h2>
        <p>Where the documents leave open what happens, the sandbox decides. These are not facts about the platform: do not
          rely on them. A reply that one of them shaped names it in the header <code>x-sandbox-choice</code>.</p>
        ${renderTable(
          ['Choice', 'What the sandbox does'],
          decided.map(([id, text]) => [html`<code id="${id}">${id}</code>`, inlineCode(text)]),
        )}</section>`;
  return renderPage({ title, pages, page: rulesPage, body });
}

function renderRule({ id, source, text, operation }: SpecRule, page: Page, tests: readonly string[] = []): Html[] {
  const summary = operation?.operation.summary ?? '';
  return [
    html`<code id="${id}">${id}</code><p class="rule">${inlineCode(text.trim())}</p>`,
    html`${source}`,
    operation ? html`<a href="${page.file}${anchorOf(operation)}">${summary}</a>` : html`All`,
    html`${tests.map((file) => html`<code>${file}</code> `)}`,
  ];
}
