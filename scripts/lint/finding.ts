import { isAbsolute, relative } from 'node:path';
import { repositoryRoot } from '../spec/files.ts';

/** One problem in a spec, and where it stands. Lines and columns count from 1. */
export interface Finding {
  /** Relative to the repository; absolute for a file outside it. */
  file: string;
  line: number;
  column: number;
  /** The rule that was broken. */
  rule: string;
  message: string;
}

/** How findings name a file. */
export function displayPath(file: string): string {
  const path = relative(repositoryRoot, file);
  return path.startsWith('..') || isAbsolute(path) ? file : path;
}

/** In the order of files, lines and columns; what two rules of one name report twice, once. */
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
