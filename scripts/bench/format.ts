import type { Machine } from './results.ts';
import { type Comparison, spread } from './statistics.ts';
import type { Cell, Figure } from './table.ts';

/** A figure with three significant digits. Larger numbers are rounded to whole numbers. */
export function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The median with its spread, then the comparison with the baseline and its confidence interval. */
export function formatCell(cell: Cell): string {
  if ('leftOut' in cell) return `left out: ${cell.leftOut}`;
  const { median, low, high } = cell;
  const range = spread(cell) > 0 ? ` (${formatNumber(low)} to ${formatNumber(high)})` : '';
  const compared = formatComparison(cell);
  return `${formatNumber(median)}${range}${compared && `, ${compared}`}`;
}

/** The median and its comparison, without spread and interval. */
export function formatShortCell({ interval, ...cell }: Figure): string {
  return formatCell({ ...cell, low: cell.median, high: cell.median });
}

/** A ratio with its interval and verdict. Empty for the baseline. */
export function formatComparison({ ratio, interval, verdict }: Partial<Comparison>): string {
  if (ratio === undefined) return '';
  const range = interval ? ` (${formatRatio(interval.low)} to ${formatRatio(interval.high)})` : '';
  const said = verdict === undefined || verdict === 'differs' ? '' : `, ${verdict}`;
  return `${formatRatio(ratio)} ×${range}${said}`;
}

/** Always two decimals: a bound of "1" would look exact. */
function formatRatio(value: number): string {
  return value < 10 ? value.toFixed(2) : formatNumber(value);
}

/** `baseline` is the subject that ratios refer to. */
export function explainRatio(baseline: string): string {
  return `A ratio (×) compares a figure with that of ${baseline}: it is the median of the ratios of all rounds`;
}

export const explainVerdicts =
  '“Tie” means that the 95 % confidence interval of a ratio contains 1 and stays within 5 % of it, “undecided” that it contains 1 and is wider. Without either word, it does not contain 1.';

export function formatMachine({ processor, cores, memoryGigabytes, system, node }: Machine): string {
  return `${cores} × ${processor}, ${memoryGigabytes} GB of memory, ${system}, Node ${node}`;
}
