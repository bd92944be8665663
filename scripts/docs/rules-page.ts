import { choices } from '../../src/sandbox/choices.ts';
import { listRules, type SpecRule } from '../spec/rules.ts';
import { linkCodesInHtml } from './fact-links.ts';
import { type Html, html, inlineCode } from './html.ts';
import { type Page, renderPage } from './layout.ts';
import { anchorOf } from './open-points.ts';
import type { Reference } from './reference.ts';
import { documentsPage, nameSections } from './source-links.ts';
import { renderTable } from './table.ts';
import { rulesFile } from './try/ids.ts';

export const rulesPage: Page = { file: rulesFile, label: 'Rules', menu: 'project' };

/**
 * Every rule of every spec with its tests, and the sandbox's choices for what is not documented.
 *
 * @param tests - test files that name a rule in a title, by the id of the rule
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
      <p class="lead">The sandbox enforces every rule of behaviour in the <a href="${documentsPage.file}">documents</a>.
        When it refuses a request, the header <code>x-sandbox-rule</code> contains the rule. At least one test covers each rule.</p>
      <nav aria-label="On this page"><ul class="inline">${groups.map(
        ({ spec, rules }) => html`<li><a href="#${spec.name}">${spec.document.info.title}</a> (${rules.length})</li>`,
      )}<li><a href="#choices">Choices of the sandbox</a> (${decided.length})</li></ul></nav>
      ${groups.map(
        ({ spec, page, rules }) => html`<section id="${spec.name}"><h2>${spec.document.info.title}</h2>
        ${renderTable(
          ['Rule', 'Source', 'Operation', 'Test'],
          rules.map((rule) => renderRule(rule, page, tests.get(rule.id))),
        )}</section>`,
      )}
      <section id="choices"><h2>Choices of the sandbox</h2>
        <p>If a behaviour is not documented, the sandbox makes a choice. Choices are not facts about the platform: do not
          rely on them. If a choice affects a reply, the header <code>x-sandbox-choice</code> contains it.</p>
        ${renderTable(
          ['Choice', 'What the sandbox does'],
          decided.map(([id, text]) => [html`<code id="${id}">${id}</code>`, inlineCode(text)]),
        )}</section>`;
  return renderPage({ title, pages, page: rulesPage, body });
}

function renderRule({ id, source, text, operation }: SpecRule, page: Page, tests: readonly string[] = []): Html[] {
  const summary = operation?.operation.summary ?? '';
  return [
    html`<code id="${id}">${id}</code><p class="rule">${linkCodesInHtml(inlineCode(text.trim()))}</p>`,
    html`${nameSections(source)}`,
    operation ? html`<a href="${page.file}${anchorOf(operation)}">${summary}</a>` : html`All`,
    html`${tests.map((file) => html`<code>${file}</code> `)}`,
  ];
}
