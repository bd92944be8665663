import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modelSpec } from '../../generate/model/operation-model.ts';
import { type LlmsLink, renderLlms, renderLlmsFull } from '../../generate/outputs/llms.ts';
import { products, type SpecName, specNames, specPath } from '../../spec/files.ts';
import { loadSpec } from '../../spec/model.ts';
import { addressIn } from './base.ts';

/** A file that readers can download. */
interface Download {
  /** Path on the site, without the leading slash. */
  file: string;
  title: string;
  /** Contents and use, in one or two Markdown sentences. */
  what: string;
}

/** The spec of a product as YAML, copied from the repository, and as JSON. */
export function specDownloads(name: SpecName): [yaml: Download, json: Download] {
  const { title } = loadSpec(name).openapi.info;
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
 * @param base - folder of the host that the site is for
 */
export async function writeDownloads(folder: string, pages: readonly LlmsLink[], base = '/'): Promise<void> {
  const downloads = join(folder, 'downloads');
  await mkdir(downloads, { recursive: true });
  const models = specNames.map((name) => modelSpec(loadSpec(name)));
  const links = [...ownLinks, ...pages].map((link) => ({ ...link, href: addressIn(base, link.href) }));
  await Promise.all([
    ...specNames.flatMap((name) => [
      copyFile(specPath(name), join(downloads, `${name}.yaml`)),
      writeFile(join(downloads, `${name}.json`), JSON.stringify(loadSpec(name).openapi, null, 2)),
    ]),
    writeFile(join(folder, 'llms.txt'), renderLlms(models, links)),
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
