/** A Markdown table whose columns also line up in a terminal; all but the first hold figures. */
export function formatTable(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) => Math.max(title.length, 3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const pad = (cells: string[]) =>
    line(
      widths.map(
        (width, column) => (column === 0 ? cells[column]?.padEnd(width) : cells[column]?.padStart(width)) ?? '',
      ),
    );
  const rule = line(widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)));
  return [pad(head), rule, ...rows.map(pad)].join('\n');
}
