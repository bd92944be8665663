import { type Comparison, compare, type Summary, summarize } from './statistics.ts';

/** What is measured: one task, for all subjects. */
export interface Column {
  title: string;
  unit: string;
  better: 'lower' | 'higher';
  /** The subject that the others are compared with. */
  baseline?: string;
  /** Name of the chart that is drawn of it. */
  chart?: string;
}

/** The measurements of a subject in a task, compared to the baseline if there is one. */
export type Figure = Summary & Partial<Comparison>;

/** A subject in a task. */
export type Cell =
  | Figure
  /** It cannot do this, and why. */
  | { leftOut: string };

export interface Table {
  title: string;
  /** What a reader has to know about it. */
  note?: string;
  columns: Column[];
  rows: { subject: string; cells: Cell[] }[];
}

/** A column with what was measured: several values each, or one exact figure. */
export interface MeasuredColumn extends Column {
  samples: Record<string, number | readonly number[]>;
  /** Subject → why it is left out. */
  leftOut?: Record<string, string>;
}

/** Puts what was measured in rows, one for each subject, and compares it. */
export function buildTable(
  title: string,
  subjects: readonly string[],
  measured: readonly MeasuredColumn[],
  note?: string,
): Table {
  return {
    title,
    ...(note !== undefined && { note }),
    columns: measured.map(({ samples, leftOut, ...column }) => column),
    rows: subjects.map((subject) => ({ subject, cells: measured.map((column) => buildCell(subject, column)) })),
  };
}

function buildCell(subject: string, { samples, leftOut = {}, baseline }: MeasuredColumn): Cell {
  const own = samples[subject];
  if (own === undefined) return { leftOut: leftOut[subject] ?? 'not measured' };
  const summary = summarize([own].flat());
  const other = baseline === undefined || baseline === subject ? undefined : samples[baseline];
  return other === undefined ? summary : { ...summary, ...compare(own, other) };
}
