/** A measured figure and its budget. */
export interface Figure {
  name: string;
  unit: string;
  value: number;
  budget: number;
}

export function isOver({ value, budget }: Figure): boolean {
  return value > budget;
}

/** A table of figures, budgets and percentages. */
export function formatTable(figures: Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    `${count(figure.value)} ${figure.unit}`,
    count(figure.budget),
    figure.budget > 0 ? `${((figure.value / figure.budget) * 100).toFixed(1)} %` : '',
    isOver(figure) ? `over by ${count(figure.value - figure.budget)}` : '',
  ]);
  const table = [['', 'figure', 'budget', 'share', ''], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map(([name = '', ...cells]) =>
      [name.padEnd(widths[0] ?? 0), ...cells.map((cell, index) => cell.padStart(widths[index + 1] ?? 0))]
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function count(value: number): string {
  return value.toLocaleString('en-GB');
}
