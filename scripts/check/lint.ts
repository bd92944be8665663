/**
 * Part of `npm run lint`: checks the specs, or the given files, with Spectral, Redocly and the conventions of
 * spec/README.md. Prints `file:line:column rule message` for each problem, and exits with 1 if there are any.
 */
import { createCommand, runCommand } from '../../src/shared/command-line.ts';
import { reportFailure } from '../command-line/dispatch.ts';
import { printFindings } from '../lint/print-findings.ts';
import { lintSpecs } from '../lint/specs.ts';
import { specNames } from '../spec/files.ts';

const about = 'Checks all specs, or only the given specs.';

export function runLint(args: string[]): Promise<number> {
  const command = createCommand('node scripts/check/main.ts lint', about).argument('[file...]');
  return runCommand(command, args, (_, files) =>
    reportFailure('Nothing was checked', async () => {
      const given = files.length > 0 ? files : undefined;
      const findings = await lintSpecs({ files: given });
      printFindings(findings);
      const summary = `spec lint: ${count(given?.length ?? specNames.length, 'file')}, ${count(findings.length, 'problem')}`;
      if (findings.length > 0) console.error(summary);
      else console.log(summary);
      return findings.length > 0 ? 1 : 0;
    }),
  );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
