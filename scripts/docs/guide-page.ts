import { renderMarkdown } from './guide-markdown.ts';
import type { Guide } from './guides.ts';
import { Html, html, inlineCode } from './html.ts';
import { type Page, renderPage } from './layout.ts';
import { linkMethods } from './method-links.ts';

export const guidesPage: Page = { file: 'guides.html', label: 'Guides' };

/** Style sheets of these pages only. */
const styles = ['code.css', 'guide.css'];

/** The list of all guides. */
export function renderGuidesPage(guides: readonly Guide[], pages: Page[]): string {
  const title = guidesPage.label;
  const body = html`<h1>${title}</h1>
      <p class="lead">One task for each guide, with a complete program that runs on your own machine, without a key.</p>
      <ol class="cards guides">${guides.map(renderCard)}</ol>`;
  return renderPage({ title, pages, page: guidesPage, body, styles });
}

function renderCard({ page, title, lead }: Guide): Html {
  return html`<li class="card"><h2><a href="${page.file}">${title}</a></h2><p>${inlineCode(lead)}</p></li>`;
}

/** One guide, with links to all others. */
export function renderGuidePage(guide: Guide, guides: readonly Guide[], pages: Page[]): string {
  const body = html`<div class="guide">
      <article>
        <h1>${guide.title}</h1>
        <p class="lead">${inlineCode(guide.lead)}</p>
        ${renderContents(guide)}
        ${linkMethods(renderMarkdown(guide, guides))}
        ${renderSteps(guide, guides)}
      </article>
      <nav class="guide-list" aria-label="Guides"><p><a href="${guidesPage.file}">All guides</a></p><ol>${guides.map(
        (other) =>
          html`<li><a href="${other.page.file}"${other === guide && new Html(' aria-current="page"')}>${other.title}</a></li>`,
      )}</ol></nav>
    </div>`;
  return renderPage({ title: guide.title, pages, page: guidesPage, body, styles });
}

function renderContents({ headings }: Guide): Html {
  const sections = headings.filter(({ depth }) => depth === 2);
  return html`<nav aria-label="On this page"><ul class="inline">${sections.map(
    ({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`,
  )}</ul></nav>`;
}

function renderSteps(guide: Guide, guides: readonly Guide[]): Html {
  const place = guides.indexOf(guide);
  const steps = [
    { name: 'Previous', relation: 'prev', to: guides[place - 1] },
    { name: 'Next', relation: 'next', to: guides[place + 1] },
  ];
  return html`<nav class="guide-steps" aria-label="Previous and next guide">${steps.map(
    ({ name, relation, to }) =>
      to && html`<a rel="${relation}" href="${to.page.file}"><span>${name}</span> ${to.title}</a>`,
  )}</nav>`;
}
