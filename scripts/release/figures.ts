import { npm } from './checkouts.ts';
import type { Release } from './verdict.ts';

/** A figure in the output of `npm run budgets`. */
interface Figure {
  value: number;
  unit: string;
}

/** Measures both releases with their own scripts. Returns the changed figures as Markdown. */
export async function compareFigures(base: Release, next: Release): Promise<string> {
  const [before, after] = [await npm(base.folder, 'budgets', true), await npm(next.folder, 'budgets', true)];
  return formatFigures(readFigures(before), readFigures(after));
}

/** Name → figure, from the table printed by `npm run budgets`. */
export function readFigures(table: string): Map<string, Figure> {
  const rows = table.matchAll(/^(\S.*?) {2,}([\d,]+) ([a-z]+) {2,}/gm);
  return new Map(
    [...rows].map(([, name = '', value = '', unit = '']) => [name, { value: Number(value.replaceAll(',', '')), unit }]),
  );
}

/** Omits figures that do not change. */
export function formatFigures(before: ReadonlyMap<string, Figure>, after: ReadonlyMap<string, Figure>): string {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const rows = names.flatMap((name) => {
    const [old, current] = [before.get(name), after.get(name)];
    if (old?.value === current?.value) return [];
    const change = old && current ? signed(current.value - old.value) : '';
    return `| ${name} | ${shown(old)} | ${shown(current)} | ${change} |`;
  });
  if (rows.length === 0) return 'Bundles, types and packages: no change.';
  return ['| | before | after | change |', '|---|--:|--:|--:|', ...rows].join('\n');
}

function shown(figure: Figure | undefined): string {
  return figure ? `${figure.value.toLocaleString('en-GB')} ${figure.unit}` : '–';
}

function signed(difference: number): string {
  return `${difference > 0 ? '+' : '−'}${Math.abs(difference).toLocaleString('en-GB')}`;
}
