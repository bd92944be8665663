/**
 * `npm run lint:spec`: checks the three specs, or the given files, with Spectral, Redocly and the conventions of
 * spec/README.md. Without files, also checks the texts of the project for banned expressions (lint/banned-expressions.json).
 * Prints `file:line:column rule message` for each problem. The exit code is 1 if there are problems.
 */
import { createCommand, runCommand } from '../../src/shared/command-line.ts';
import { reportFailure } from '../command-line/dispatch.ts';
import { findBannedExpressions } from '../lint/banned-expressions.ts';
import type { Finding } from '../lint/finding.ts';
import { printFindings } from '../lint/print-findings.ts';
import { lintSpecs } from '../lint/specs.ts';
import { specNames } from '../spec/files.ts';

const about = 'Checks the three specs and the texts of the project, or only the given specs.';

export function runLint(args: string[]): Promise<number> {
  const command = createCommand('npm run lint:spec --', about).argument('[file...]');
  return runCommand(command, args, (_, files) =>
    reportFailure('Nothing was checked', async () => ((await lint(files)) ? 0 : 1)),
  );
}

async function lint(given: string[]): Promise<boolean> {
  const files = given.length > 0 ? given : undefined;
  const found = [report('spec lint', files?.length ?? specNames.length, await lintSpecs({ files }))];
  if (!files) {
    const expressions = findBannedExpressions();
    found.push(report('expressions', expressions.files, expressions.findings));
  }
  return found.every(Boolean);
}

/** Prints findings and their number. Returns whether there are none. */
function report(name: string, files: number, findings: Finding[]): boolean {
  printFindings(findings);
  const summary = `${name}: ${count(files, 'file')}, ${count(findings.length, 'problem')}`;
  if (findings.length > 0) console.error(summary);
  else console.log(summary);
  return findings.length === 0;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
