import { isAbsolute, relative } from 'node:path';
import { repositoryRoot } from '../spec/files.ts';

/** One problem in a spec and its position. Lines and columns start at 1. */
export interface Finding {
  /** Path of the file: relative to the repository, or absolute for a file outside the repository. */
  file: string;
  line: number;
  column: number;
  /** Rule that the spec violates. */
  rule: string;
  message: string;
}

/** The file name to print in a finding. */
export function displayPath(file: string): string {
  const path = relative(repositoryRoot, file);
  return path.startsWith('..') || isAbsolute(path) ? file : path;
}

/** Removes duplicate findings, and sorts by file, line and column. */
export function sortFindings(findings: Finding[], files: string[]): Finding[] {
  const unique = new Map(findings.map((finding) => [JSON.stringify(finding), finding]));
  const order = files.map(displayPath);
  return [...unique.values()].sort(
    (a, b) =>
      order.indexOf(a.file) - order.indexOf(b.file) ||
      a.line - b.line ||
      a.column - b.column ||
      a.rule.localeCompare(b.rule),
  );
}
