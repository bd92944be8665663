import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, type as osType, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Cell, Table } from './table.ts';

/** What was aimed at, and whether this run reached it. */
export interface Goal {
  text: string;
  /** What was measured. */
  figure: string;
  met: boolean;
}

/** What one part of the benchmark measured. */
export interface Measured {
  tables: Table[];
  goals: Goal[];
  /** Package → version. */
  versions: Record<string, string>;
}

/** Kept with each part, since parts can be measured again one by one. */
export interface PartResult extends Measured {
  title: string;
  /** `2026-11-21` */
  date: string;
  machine: Machine;
}

export interface Machine {
  processor: string;
  cores: number;
  memoryGigabytes: number;
  system: string;
  node: string;
}

/** By the name of the part. */
export type Results = Record<string, PartResult>;

/** What makes figures comparable, without anything that identifies the machine's owner. */
export function describeMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() || 'unknown processor',
    cores: availableParallelism(),
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${osType()} ${process.arch}`,
    node: process.versions.node,
  };
}

const fileName = 'results.json';

/** Version of the file. 2: a cell has the interval of its ratio and a verdict. Before: whether the spread contains the difference. */
const format = 2;

/** The results of earlier runs in a folder. Empty if it has none. */
export function readResults(folder: string): Results {
  let text: string;
  try {
    text = readFileSync(join(folder, fileName), 'utf8');
  } catch {
    return {};
  }
  const file: { format?: number; parts?: Results } = JSON.parse(text);
  if (file.format === undefined) return withoutOldVerdicts(JSON.parse(text));
  if (file.format !== format || !file.parts) {
    throw new Error(
      `${join(folder, fileName)} has format ${file.format} instead of ${format}: delete it, then run npm run bench`,
    );
  }
  return file.parts;
}

const noVerdicts = 'Measured before ratios had intervals: no ratio has a verdict.';

/**
 * Reads the first format. Its ties say that a subject was noisy, not that it is as fast, and it kept no ratios of rounds:
 * ratios have no verdict until the part is measured again.
 */
function withoutOldVerdicts(results: Results): Results {
  const renew = (cell: Cell): Cell => {
    if ('leftOut' in cell || cell.ratio === undefined) return cell;
    const { median, low, high, runs, ratio } = cell;
    return { median, low, high, runs, ratio };
  };
  const parts = Object.entries(results).map(([name, part]) => {
    const tables = part.tables.map((table) => ({
      ...table,
      ...(table.columns.some(({ baseline }) => baseline) && {
        note: [table.note, noVerdicts].filter(Boolean).join(' '),
      }),
      rows: table.rows.map(({ subject, cells }) => ({ subject, cells: cells.map(renew) })),
    }));
    return [name, { ...part, tables, goals: part.goals.filter(({ figure }) => figure !== 'a tie') }];
  });
  return Object.fromEntries(parts);
}

export function writeResults(folder: string, results: Results): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, fileName), `${JSON.stringify({ format, parts: results }, null, 2)}\n`);
}
