/** A measured figure. */
export interface Figure {
  name: string;
  unit: string;
  value: number;
}

/** Name of a figure → its value in the last release. */
export type Release = Readonly<Record<string, number>>;

/**
 * Largest growth since the last release, as a ratio. A new resource stays below it. An accidental dependency, or a
 * namespace that is no longer tree-shaken, exceeds it.
 */
export const permittedGrowth = 0.1;

/** The figures that grew too much since the last release. New figures are skipped. */
export function findOvergrown(figures: readonly Figure[], release: Release): Figure[] {
  return figures.filter(({ name, value }) => {
    const before = release[name];
    return before !== undefined && value > before * (1 + permittedGrowth);
  });
}

/** A table of figures beside those of the last release. */
export function formatTable(figures: readonly Figure[], release: Release): string {
  const rows = figures.map(({ name, unit, value }) => {
    const before = release[name];
    return [
      name,
      `${count(value)} ${unit}`,
      before === undefined ? '–' : count(before),
      before === undefined ? 'new' : percent(value / before - 1),
    ];
  });
  const table = [['', 'now', 'last release', 'change'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map(([name = '', ...cells]) =>
      [name.padEnd(widths[0] ?? 0), ...cells.map((cell, index) => cell.padStart(widths[index + 1] ?? 0))].join('  '),
    )
    .join('\n');
}

function count(value: number): string {
  return value.toLocaleString('en-GB');
}

function percent(change: number): string {
  return change.toLocaleString('en-GB', { style: 'percent', minimumFractionDigits: 1, signDisplay: 'exceptZero' });
}
