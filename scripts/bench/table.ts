import { type Comparison, compare, type Summary, summarize } from './statistics.ts';

/** One measured task, for all subjects. */
export interface Column {
  title: string;
  unit: string;
  better: 'lower' | 'higher';
  /** The subject that the others are compared with. */
  baseline?: string;
  /** File name of the column's chart. */
  chart?: string;
}

/** The measurements of a subject in a task, with the comparison if there is a baseline. */
export type Figure = Summary & Partial<Comparison>;

/** One subject's result in one task. */
export type Cell =
  | Figure
  /** Why the subject cannot do the task. */
  | { leftOut: string };

export interface Table {
  title: string;
  /** A note for the reader. */
  note?: string;
  columns: Column[];
  rows: { subject: string; cells: Cell[] }[];
}

/** A column with its measurements: several values for each subject, or one exact figure. */
export interface MeasuredColumn extends Column {
  samples: Record<string, number | readonly number[]>;
  /** Subject → reason for leaving it out. */
  leftOut?: Record<string, string>;
}

/** Puts the measurements in rows, one for each subject, and compares them. */
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
