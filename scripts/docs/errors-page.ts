import { apiErrorClass } from '../../src/client/core/errors/api-error.ts';
import { describeSource } from '../spec/source.ts';
import { collectErrorCodes, collectStatuses, type ErrorCode, type PlacedOperation } from './error-codes.ts';
import { errorsPage } from './fact-links.ts';
import { Html, html, inlineCode } from './html.ts';
import { type Page, renderPage } from './layout.ts';
import { openPage } from './open-page.ts';
import { anchorOf } from './open-points.ts';
import type { Reference } from './reference.ts';
import { rulesPage } from './rules-page.ts';
import { methodOf } from './search/operation-entries.ts';
import { renderTable } from './table.ts';
import { consoleLink } from './try/console-link.ts';

/** What to do about a documented status. */
const statusAdvice: Readonly<Record<string, string>> = {
  404: 'Check the IDs in the path. If the client repeats a deletion after a lost reply and gets a 404, the deletion counts as done.',
  422: 'Fix the request: the reference of the operation lists its rules.',
};

const otherAdvice = 'Read the rules of the operation in the reference.';

/** Every documented error code with its own anchor, then the documented HTTP statuses. */
export function renderErrorsPage(references: readonly Reference[], pages: Page[]): string {
  const title = errorsPage.label;
  const codes = collectErrorCodes(references);
  const body = html`<h1>${title}</h1>
      <p class="lead">Error codes tell you why the platform refused a request. The client throws an <code>ApiError</code>, and
        <code>error.code</code> is the code as a string. The sandbox refuses the same requests with the same codes.</p>
      <p>Codes are documented only for the creation of messaging-app campaigns. <a href="${openPage.file}#errors">Most failures are
        not documented</a>; <a href="guide-errors.html">Errors and retries</a> shows how to handle any of them.</p>
      <nav aria-label="Error codes"><ul class="inline">${codes.map(
        ({ code }) => html`<li><a href="#${code}">${code}</a></li>`,
      )}<li><a href="#statuses">HTTP statuses</a></li></ul></nav>
      ${codes.map(renderCode)}
      <h2 id="statuses">HTTP statuses</h2>
      <p>Operations that document the HTTP status of a failure, and the class of the error that the client throws:</p>
      ${renderTable(
        ['Status', 'Class', 'Operations', 'What to do'],
        [...collectStatuses(references)].map(([status, operations]) => [
          html`<code id="${status}">${status}</code>`,
          html`<code>${apiErrorClass(Number(status)).name}</code>`,
          list(operations),
          html`${statusAdvice[status] ?? otherAdvice}`,
        ]),
      )}`;
  return renderPage({ title, pages, page: errorsPage, body });
}

function renderCode({ code, meaning, rule, operations, advice }: ErrorCode): Html {
  return html`<section class="error-code"><h2 id="${code}"><code>${code}</code> ${inlineCode(meaning)}</h2>
        <dl class="commands">
          <div><dt>What to do</dt><dd>${inlineCode(advice)}</dd></div>
          <div><dt>Rule</dt><dd>${inlineCode(rule.text.trim())} <a href="${rulesPage.file}#${rule.id}">${rule.id}</a></dd></div>
          <div><dt>Returned by</dt><dd>${list(operations)}</dd></div>
          <div><dt>Source</dt><dd>${describeSource(rule.source)}</dd></div>
        </dl></section>`;
}

/** Operations with their methods. */
function list(operations: readonly PlacedOperation[]): Html {
  return html`${operations.map(
    (
      { operation, page },
      index,
    ) => html`${index > 0 && new Html('<br>')}<a href="${page}${anchorOf(operation)}">${operation.operation.summary}</a>
              (<code>${methodOf(operation)}</code>, <a href="${consoleLink(operation.operationId)}">try it</a>)`,
  )}`;
}
