import type { Machine } from './results.ts';
import { spread } from './statistics.ts';
import type { Cell } from './table.ts';

/** A figure with three significant digits, or all of a larger whole number. */
export function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The median, with the spread of what was measured and how it compares to the baseline. */
export function formatCell(cell: Cell): string {
  if ('leftOut' in cell) return `left out: ${cell.leftOut}`;
  const { median, low, high, ratio, tie } = cell;
  const range = spread(cell) > 0 ? ` (${formatNumber(low)} to ${formatNumber(high)})` : '';
  const compared = tie ? ', tie' : ratio === undefined ? '' : `, ${formatNumber(ratio)} ×`;
  return `${formatNumber(median)}${range}${compared}`;
}

export function formatMachine({ processor, cores, memoryGigabytes, system, node }: Machine): string {
  return `${cores} × ${processor}, ${memoryGigabytes} GB of memory, ${system}, Node ${node}`;
}
