import type { Finding } from './finding.ts';

/** One line per finding, in a form that editors and terminals turn into links. */
function formatFinding({ file, line, column, rule, message }: Finding): string {
  return `${file}:${line}:${column} ${rule} ${message}`;
}

export function printFindings(findings: Finding[]): void {
  for (const finding of findings) console.error(formatFinding(finding));
}
