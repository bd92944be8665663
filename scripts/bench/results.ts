import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, type as osType, totalmem } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../spec/files.ts';
import type { Table } from './table.ts';

/** The committed results, which the docs show. */
export const resultsFolder = join(repositoryRoot, 'docs', 'benchmarks');

/** One part of the benchmark. */
export interface BenchPart {
  title: string;
  measure(settings: Settings): Promise<Measured>;
}

export interface Settings {
  /** Run only a few rounds to check that everything works. The figures are not meaningful. */
  quick: boolean;
  report(line: string): void;
}

export interface Measured {
  tables: Table[];
  /** Package → version. */
  versions: Record<string, string>;
}

/** Stored with each part, since parts can be measured separately. */
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

/** Describes the machine so that figures are comparable, without anything that identifies its owner. */
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
const format = 2;

/** Reads the results of earlier runs from a folder. Empty if there are none. */
export function readResults(folder: string): Results {
  let text: string;
  try {
    text = readFileSync(join(folder, fileName), 'utf8');
  } catch {
    return {};
  }
  const file: { format?: number; parts?: Results } = JSON.parse(text);
  if (file.format !== format || !file.parts) {
    throw new Error(`${join(folder, fileName)} is not of format ${format}: delete it, then run npm run bench`);
  }
  return file.parts;
}

export function writeResults(folder: string, results: Results): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, fileName), `${JSON.stringify({ format, parts: results }, null, 2)}\n`);
}
