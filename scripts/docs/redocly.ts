import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { sampleLanguages } from '../samples/languages.ts';
import { headerHeight } from './layout.ts';

const run = promisify(execFile);

/** Redoc's options for all three pages. */
const redocOptions = {
  scrollYOffset: headerHeight,
  schemasExpansionLevel: 2,
  jsonSamplesExpandLevel: 5,
  sortRequiredPropsFirst: true,
  maxDisplayedEnumValues: 12,
  hideDownloadButtons: true,
  // Redoc drops samples whose label is not in this list.
  codeSamples: {
    languages: [
      ...sampleLanguages.map(({ highlight, label }) => ({ lang: highlight, label })),
      { lang: 'payload', label: 'Payload' },
    ],
  },
};

/** Without these, the tool reports its use and its pages report their readers' clicks. */
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', SCARF_ANALYTICS: 'false' };

/** In milliseconds. A page takes about two seconds. */
const deadline = 120_000;

export interface BuildDocsFiles {
  document: string;
  template: string;
  output: string;
}

/** Runs `redocly build-docs` on files of one folder. Rejects with the tool's output if it fails. */
export async function buildDocs({ document, template, output }: BuildDocsFiles): Promise<void> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin', 'cli.js');
  const options = ['--inlineBundle', '--openapi', JSON.stringify(redocOptions)];
  try {
    await run(process.execPath, [cli, 'build-docs', document, '--output', output, '--template', template, ...options], {
      cwd: dirname(document),
      env: { ...process.env, ...quiet },
      timeout: deadline,
    });
  } catch (error) {
    throw new Error(readReason(error));
  }
}

/** The tool's output without its banner. */
function readReason(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const lines = said.split('\n').filter((line) => line.trim() !== '' && !/^\s*[║╔╚]/.test(line));
  return lines.join('\n').trim() || (error instanceof Error ? error.message : String(error));
}
