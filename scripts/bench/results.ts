import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, type as osType, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Table } from './table.ts';

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

/** The results of earlier runs in a folder. `undefined` if it has none. */
export function readResults(folder: string): Results {
  let text: string;
  try {
    text = readFileSync(join(folder, fileName), 'utf8');
  } catch {
    return {};
  }
  return JSON.parse(text);
}

export function writeResults(folder: string, results: Results): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, fileName), `${JSON.stringify(results, null, 2)}\n`);
}
