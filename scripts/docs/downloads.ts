import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type LlmsLink, renderLlms, renderLlmsFull } from '../generate/llms.ts';
import { modelSpec } from '../generate/operation-model.ts';
import { products, repositoryRoot, type SpecName, specNames, specPath } from '../spec/files.ts';
import { loadSpec } from '../spec/model.ts';

const run = promisify(execFile);

/** In milliseconds. The bundles take less than a second. */
const deadline = 60_000;

/** A file that readers can download. */
export interface Download {
  /** Path on the site, without the leading slash. */
  file: string;
  title: string;
  /** Contents and use, in one or two Markdown sentences. */
  what: string;
}

/** The spec of a product as YAML, copied from the repository, and as JSON. */
export function specDownloads(name: SpecName): [yaml: Download, json: Download] {
  const { title } = loadSpec(name).document.info;
  return [
    {
      file: `downloads/${name}.yaml`,
      title: `${products[name].label}: OpenAPI 3.1, YAML`,
      what: `The spec of ${title} with all extensions: a copy of \`spec/${name}.yaml\`.`,
    },
    {
      file: `downloads/${name}.json`,
      title: `${products[name].label}: OpenAPI 3.1, JSON`,
      what: 'The same spec in one JSON file, for Swagger UI, Insomnia, Bruno and generators.',
    },
  ];
}

/** All files, in the order of the page. */
export function listDownloads(): Download[] {
  return [
    ...specNames.flatMap(specDownloads),
    {
      file: 'llms.txt',
      title: 'llms.txt',
      what: 'For language models: every method in a line, and where to read more.',
    },
    {
      file: 'llms-full.txt',
      title: 'llms-full.txt',
      what: 'For language models: every method with its parameters, rules, failures, gaps and an example.',
    },
  ];
}

/**
 * Writes all downloads.
 *
 * @param folder - root of the site's static files, created if it is missing
 * @param pages - pages that `llms.txt` links to
 */
export async function writeDownloads(folder: string, pages: readonly LlmsLink[]): Promise<void> {
  const downloads = join(folder, 'downloads');
  await mkdir(downloads, { recursive: true });
  const models = specNames.map((name) => modelSpec(loadSpec(name)));
  await Promise.all([
    ...specNames.map((name) => copyFile(specPath(name), join(downloads, `${name}.yaml`))),
    bundle(downloads),
    writeFile(join(folder, 'llms.txt'), renderLlms(models, [...ownLinks, ...pages])),
    writeFile(join(folder, 'llms-full.txt'), renderLlmsFull(models)),
  ]);
}

const ownLinks: readonly LlmsLink[] = [
  {
    title: 'All methods in full',
    href: '/llms-full.txt',
    about: 'parameters, limits, rules, error codes, gaps, examples',
  },
  ...specNames.map((name) => ({
    title: `spec/${name}.yaml`,
    href: `/downloads/${name}.yaml`,
    about: 'OpenAPI 3.1',
  })),
];

/** Writes each spec as one JSON file. */
async function bundle(folder: string): Promise<void> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin', 'cli.js');
  const options = ['--output', folder, '--ext', 'json', '--lint-config', 'off'];
  await run(process.execPath, [cli, 'bundle', ...specNames.map(specPath), ...options], {
    cwd: repositoryRoot,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    timeout: deadline,
  });
}
