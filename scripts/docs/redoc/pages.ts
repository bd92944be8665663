import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../../src/shared/message-of.ts';
import { sampleLanguages } from '../../samples/languages.ts';
import { products, repositoryRoot, type SpecName, specNames } from '../../spec/files.ts';
import { listOperations, loadSpec, type Spec } from '../../spec/model.ts';
import { toRedocSpec } from './redoc-spec.ts';

const run = promisify(execFile);

const template = join(repositoryRoot, 'docs', 'redoc', 'template.hbs');

/** In pixels. Redoc scrolls headings to below the header. */
const headerHeight = 48;

/** Redoc's options for all pages. */
const redocOptions = {
  scrollYOffset: headerHeight,
  schemasExpansionLevel: 2,
  jsonSamplesExpandLevel: 5,
  sortRequiredPropsFirst: true,
  maxDisplayedEnumValues: 12,
  // Redoc omits samples whose label is not in this list.
  codeSamples: {
    languages: [
      ...sampleLanguages.map(({ highlight, label }) => ({ lang: highlight, label })),
      { lang: 'payload', label: 'Payload' },
    ],
  },
};

/** In milliseconds. A page takes about a second. */
const deadline = 120_000;

/** A download that a page offers, with its label and its address relative to the page. */
export interface RedocDownload {
  title: string;
  url: string;
}

interface RedocOptions {
  /** Output folder for `<spec>/index.html`. It is created if it is missing. */
  folder: string;
  /** Files of the download button. */
  downloadsOf: (name: SpecName) => RedocDownload[];
  /** @default reads the project's spec */
  load?: (name: SpecName) => Spec;
}

/**
 * Writes the Redoc page of each spec with `redocly build-docs`. Each page is one file that opens from disk.
 *
 * @throws `Error` that names each spec that failed, with the reason or the tool's output
 */
export async function writeRedocPages({ folder, downloadsOf, load = loadSpec }: RedocOptions): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'carillon-redoc-'));
  const write = async (name: SpecName): Promise<void> => {
    const spec = load(name);
    const file = join(work, `${name}.json`);
    await writeFile(file, JSON.stringify(toRedocSpec(spec)));
    await buildDocs(spec, file, join(folder, name, 'index.html'), downloadsOf(name));
  };
  try {
    // Wait for all, because the folder is removed afterwards.
    const outcomes = await Promise.allSettled(specNames.map(write));
    const failures = outcomes.flatMap((outcome, index) =>
      outcome.status === 'rejected' ? [`spec/${specNames[index]}.yaml: ${messageOf(outcome.reason)}`] : [],
    );
    if (failures.length > 0) throw new Error(failures.join('\n'));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function buildDocs(spec: Spec, file: string, output: string, downloads: RedocDownload[]): Promise<void> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin', 'cli.js');
  const { title, summary = '' } = spec.openapi.info;
  const description = `The ${listOperations(spec).length} operations of ${title}. ${summary}`.trim();
  const options = [
    ['--output', output],
    ['--template', template],
    ['--title', `${products[spec.name].label} reference · Carillon`],
    [`--templateOptions.description=${description}`],
    [`--templateOptions.headerHeight=${headerHeight}`],
    [`--templateOptions.${spec.name}=current`],
    ['--openapi', JSON.stringify({ ...redocOptions, downloadUrls: downloads })],
    ['--inlineBundle'],
  ].flat();
  try {
    await run(process.execPath, [cli, 'build-docs', file, ...options], {
      cwd: dirname(file),
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      timeout: deadline,
    });
  } catch (error) {
    throw new Error(readReason(error), { cause: error });
  }
}

/** The tool's output without its banner. */
function readReason(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const lines = said.split('\n').filter((line) => line.trim() !== '' && !/^\s*[║╔╚]/.test(line));
  return lines.join('\n').trim() || messageOf(error);
}
