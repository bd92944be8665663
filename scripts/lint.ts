/**
 * `npm run lint:spec`: the three specs, or the files given, against Spectral, Redocly and the conventions of
 * spec/README.md. Prints `file:line:column rule message` for each problem; the exit code is 1 when there is one.
 */
import { parseArgs } from 'node:util';
import { printFindings } from './lint/print-findings.ts';
import { lintSpecs } from './lint/specs.ts';
import { specNames } from './spec/files.ts';

const usage = 'Usage: npm run lint:spec [-- <file> …]';

async function main(): Promise<boolean> {
  const { positionals } = parseArgs({ allowPositionals: true, options: {} });
  const files = positionals.length > 0 ? positionals : undefined;
  const findings = await lintSpecs({ files });
  printFindings(findings);
  const count = files?.length ?? specNames.length;
  const summary = `spec lint: ${count} ${count === 1 ? 'file' : 'files'}, ${findings.length} ${findings.length === 1 ? 'problem' : 'problems'}`;
  if (findings.length > 0) console.error(summary);
  else console.log(summary);
  return findings.length === 0;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
    console.error(usage);
  process.exitCode = 1;
}
