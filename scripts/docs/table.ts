import { type Html, html } from './html.ts';

/** A table in a focusable frame, which scrolls if the table is wider than the page. */
export function renderTable(headings: string[], rows: Html[][]): Html {
  return html`<div class="table" tabindex="0"><table>
          <thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
          <tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
        </table></div>`;
}
