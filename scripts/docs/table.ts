import { type Html, html } from './html.ts';
import { textOfHtml } from './html-text.ts';

/**
 * A table in a focusable frame, which scrolls if the table is wider than the page. On a phone, each row is a list of its
 * cells, each with the heading of its column.
 */
export function renderTable(headings: (string | Html)[], rows: Html[][]): Html {
  const labels = headings.map((heading) => textOfHtml(html`${heading}`.source));
  return html`<div class="table" tabindex="0"><table>
          <thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
          <tbody>${rows.map(
            (cells) =>
              html`<tr>${cells.map((cell, column) => html`<td data-label="${labels[column] ?? ''}">${cell}</td>`)}</tr>\n`,
          )}</tbody>
        </table></div>`;
}
