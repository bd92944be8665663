import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Html, html } from './html.ts';

/** In pixels. Redoc needs it, to scroll a heading to just below the sticky header. */
export const headerHeight = 56;

export interface Page {
  /** File name in `site/`. */
  file: string;
  /** Label in the header. */
  label: string;
}

/** The name in the header links to it. */
export const startPage: Page = { file: 'index.html', label: 'Carillon' };

export function readTemplate(name: string): string {
  return readFileSync(join(import.meta.dirname, 'templates', name), 'utf8').trim();
}

/**
 * The head of every page. The policy is a second safeguard: even a malicious script cannot load or send
 * anything.
 */
export function head(...styles: string[]): Html {
  const policy =
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'";
  return html`<meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="${icon()}">
    <script>${new Html(readTemplate('color-mode.js'))}</script>
    <style>:root { --header-height: ${headerHeight}px; }
${new Html(['shared.css', ...styles].map(readTemplate).join('\n'))}</style>`;
}

function icon(): string {
  return `data:image/svg+xml,${encodeURIComponent(readTemplate('icon.svg'))}`;
}

/** The bar at the top of every page, with links to the other pages. */
export function header(pages: Page[], current: Page): Html {
  const brand = html`${new Html(readTemplate('icon.svg'))}${startPage.label}`;
  return html`<header class="carillon-header">
      <a class="carillon-brand" href="${startPage.file}"${mark(startPage, current)}>${brand}</a>
      <nav aria-label="Pages">${pages.map(
        (page) => html`<a href="${page.file}"${mark(page, current)}>${page.label}</a>`,
      )}</nav>
      <script>${new Html(readTemplate('header.js'))}</script>
    </header>`;
}

function mark(page: Page, current: Page): Html | false {
  return page.file === current.file && new Html(' aria-current="page"');
}

/** A complete page: header, content and footer. */
export function renderPage({
  title,
  pages,
  page,
  body,
}: {
  title: string;
  pages: Page[];
  page: Page;
  body: Html;
}): string {
  const name = page.file === startPage.file ? title : `${title} · ${startPage.label}`;
  return `${html`<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${name}</title>
    ${head('page.css', 'parts.css')}
  </head>
  <body>
    <a class="skip" href="#content">Skip to the content</a>
    ${header(pages, page)}
    <main id="content">
      ${body}
    </main>
    <footer>The references are rendered by Redoc (MIT). These pages load nothing from a network.</footer>
  </body>
</html>`}\n`;
}
