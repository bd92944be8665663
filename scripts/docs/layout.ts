import { assetsFolder } from './frame/ids.ts';
import { header } from './header.ts';
import { Html, html } from './html.ts';
import { textOfHtml } from './html-text.ts';
import { type Page, readTemplate, startPage } from './page.ts';

export { header } from './header.ts';
export { type Page, readTemplate, startPage } from './page.ts';

/** In pixels. Redoc needs it, to scroll a heading to just below the sticky header. */
export const headerHeight = 56;

/** Styles of every page. */
export const frameStyles = ['shared.css', 'search.css'] as const;

/** Search engines show about this many characters of a description. */
const longestDescription = 160;

/**
 * The policy of every page. It is a second safeguard: even a malicious script cannot load or send anything. Scripts and
 * styles come from the page and from files beside it.
 */
export const policy =
  "default-src 'none'; script-src 'self' file: 'unsafe-inline'; style-src 'self' file: 'unsafe-inline'; img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'";

/**
 * The head of every page.
 *
 * @param styles - style sheets of `templates/`, beside those of the frame
 */
export function head(...styles: string[]): Html {
  return html`<meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(readTemplate('icon.svg'))}">
    ${chooseColors()}
    ${[...frameStyles, ...styles].map((name) => html`<link rel="stylesheet" href="${assetsFolder}/${name}">`)}`;
}

/** Applies the stored colours before the page is painted. */
export function chooseColors(): Html {
  return html`<script>${new Html(readTemplate('color-mode.js'))}</script>`;
}

/** The description of a page for search engines, cut after a whole sentence if it is too long. */
export function describePage(text: string): Html {
  return html`<meta name="description" content="${shorten(text.trim())}">`;
}

function shorten(text: string): string {
  if (text.length <= longestDescription) return text;
  const sentence = /^.{40,160}?[.!?](?= (?!.{0,160}[.!?] ))/.exec(text)?.[0];
  return sentence ?? `${text.slice(0, text.lastIndexOf(' ', longestDescription))} …`;
}

/** A complete page: header, content and footer. */
export function renderPage({
  title,
  pages,
  page,
  body,
  styles = [],
}: {
  title: string;
  pages: Page[];
  page: Page;
  /** Its first paragraph with the class `lead` also describes the page for search engines. */
  body: Html;
  /** Style sheets of this page only. */
  styles?: string[];
}): string {
  const name = page.file === startPage.file ? title : `${title} · ${startPage.label}`;
  const [, lead = ''] = /<p class="lead">(.*?)<\/p>/s.exec(body.source) ?? [];
  return `${html`<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${name}</title>
    ${describePage(textOfHtml(lead))}
    ${head('page.css', 'parts.css', ...styles)}
  </head>
  <body>
    <a class="skip" href="#content">Skip to the content</a>
    ${header(pages, page)}
    <main id="content" tabindex="-1">
      ${body}
    </main>
    <footer>The references are rendered by Redoc (MIT). These pages load nothing from a network.</footer>
  </body>
</html>`}\n`;
}
