/** A measured figure, as `npm run budgets` prints it. */
export interface Measured {
  value: number;
  unit: string;
}

/** Name → figure, from the table that `npm run budgets` prints. */
export function readFigures(table: string): Map<string, Measured> {
  const rows = table.matchAll(/^(\S.*?) {2,}([\d,]+) ([a-z]+) {2,}/gm);
  return new Map(
    [...rows].map(([, name = '', value = '', unit = '']) => [name, { value: Number(value.replaceAll(',', '')), unit }]),
  );
}

/** The change as Markdown. Figures that do not change are left out. */
export function formatChange(
  revision: string,
  before: ReadonlyMap<string, Measured>,
  after: ReadonlyMap<string, Measured>,
  diff: string,
): string {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const rows = names.flatMap((name) => {
    const [old, current] = [before.get(name), after.get(name)];
    if (old?.value === current?.value) return [];
    const change = old && current ? signed(current.value - old.value) : '';
    return `| ${name} | ${shown(old)} | ${shown(current)} | ${change} |`;
  });
  const figures =
    rows.length > 0
      ? ['| | before | after | change |', '|---|--:|--:|--:|', ...rows].join('\n')
      : 'Bundles, types and package: no change.';
  const lines = diff === '' ? '`report.txt`: no change.' : `\`\`\`diff\n${diff}\n\`\`\``;
  return `## Change against ${revision}\n\n${figures}\n\n${lines}`;
}

function shown(figure: Measured | undefined): string {
  return figure ? `${figure.value.toLocaleString('en-GB')} ${figure.unit}` : '–';
}

function signed(difference: number): string {
  return `${difference > 0 ? '+' : '−'}${Math.abs(difference).toLocaleString('en-GB')}`;
}
