import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { enableCompileCache } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../../src/shared/message-of.ts';
import { coveragePath } from '../spec/coverage-table.ts';
import { repositoryRoot, type SpecName, specNames, specPath } from '../spec/files.ts';
import { gapsFile } from '../spec/named-gaps.ts';
import { unsupportedFile } from '../spec/unsupported.ts';
import { checkClient } from './client.ts';
import { type CoveredSpec, checkCoverage } from './coverage.ts';
import { checkExtensions } from './extensions.ts';
import { displayPath, type Finding, sortFindings } from './finding.ts';
import { checkGaps } from './gaps.ts';
import { runRedocly } from './redocly.ts';
import { checkReferences } from './references.ts';
import { readSpecSource, type SpecSource } from './spec-source.ts';
import { findDuplicates } from './uniqueness.ts';

export type { Finding } from './finding.ts';

/**
 * Lints the specs, or the given files: Spectral and Redocly in parallel, then the client, and uniqueness and gaps across files.
 * Checks the coverage of the documents if the specs have no other finding. A file that is not valid YAML is
 * reported and skipped. A fault that makes other rules fail hides their findings. Resolves to the findings.
 */
export async function lintSpecs({ files }: { files?: string[] } = {}): Promise<Finding[]> {
  const paths = files?.map((file) => resolve(file)) ?? specNames.map((name) => specPath(name));
  const read = await Promise.all(paths.map(readOrReport));
  const sources = read.flatMap(({ source }) => (source?.findings.length === 0 ? [source] : []));
  const each = await lintEach(sources);
  const unreadable = read.flatMap(({ source, findings }) => source?.findings ?? findings);
  const unread = files ? [] : checkUnread(listYaml(), [...paths, gapsFile, unsupportedFile]);
  const gaps = checkGaps(sources, await readSpecSource(gapsFile), {
    areAll: !files && sources.length === paths.length,
  });
  const found = [...unreadable, ...each, ...findDuplicates(sources), ...gaps, ...unread];
  // In specs with faults, the places may not exist.
  if (found.length === 0 && !files) found.push(...(await checkAllCoverage(sources)));
  return sortFindings(found, [...paths, gapsFile, ...listYaml()]);
}

/** The YAML files directly in `spec/`. */
function listYaml(): string[] {
  const folder = dirname(gapsFile);
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => join(folder, name));
}

/** Lints each spec by itself. A fault that makes other rules fail hides their findings. */
export async function lintEach(sources: SpecSource[]): Promise<Finding[]> {
  const leading = new Map(sources.map((source) => [source, checkReferences(source)]));
  const own = sources.filter((source) => leading.get(source)?.length === 0);
  const [redocly, spectral] = await Promise.all([runRedocly(own.map(({ file }) => file)), lintInProcess(own)]);
  const ofExtensions = own.flatMap(checkExtensions);
  const found = withoutConsequences([...[...leading.values()].flat(), ...spectral, ...redocly, ...ofExtensions]);
  const faulty = new Set(found.map(({ file }) => file));
  const sound = own.filter(({ file }) => !faulty.has(displayPath(file)));
  const ofClient = sound.flatMap(checkClient);
  return [...found, ...ofClient];
}

/** Rules by stage, since faults in one stage make later rules fail: the structure first, examples last. */
const stages = [
  /^(?:oas3-schema|invalid-ref|unrecognized-format)$/,
  /^(?:keyword-known|no-schema-type-mismatch)$/,
  /^extension-(?:known|form)$/,
  /^(?!oas3-valid-.*-example$|oas3-unused-component$)/,
];

/** For each file, keeps the findings of the first stage that has any. */
function withoutConsequences(findings: Finding[]): Finding[] {
  return [...new Set(findings.map(({ file }) => file))].flatMap((name) => {
    const ofFile = findings.filter(({ file }) => file === name);
    const stage = stages.find((rules) => ofFile.some(({ rule }) => rules.test(rule)));
    return stage ? ofFile.filter(({ rule }) => stage.test(rule)) : ofFile;
  });
}

/** Checks the tables of coverage. A spec without a table is a finding. */
async function checkAllCoverage(sources: readonly SpecSource[]): Promise<Finding[]> {
  const missing = specNames.filter((name) => !existsSync(coveragePath(name)));
  if (missing.length === 0)
    return checkCoverage(await Promise.all(specNames.map((name) => readCovered(name, sources))));
  return missing.map((name) => ({
    file: displayPath(specPath(name)),
    line: 1,
    column: 1,
    rule: 'coverage',
    message: `there is no spec/coverage/${name}.md: write a table with the lines of the document that no source shows`,
  }));
}

async function readCovered(name: SpecName, sources: readonly SpecSource[]): Promise<CoveredSpec> {
  const source = sources.find(({ file }) => file === specPath(name));
  if (!source) throw new Error(`The spec ${name} was not read`);
  const file = coveragePath(name);
  const spec = { name, file: source.file, openapi: source.tree.toJS() };
  return { spec, file, text: await readFile(file, 'utf8') };
}

/** Start Redocly's process first, because Spectral loads slowly. Node caches the compiled code where the tests do. */
async function lintInProcess(sources: SpecSource[]): Promise<Finding[]> {
  if (sources.length === 0) return [];
  enableCompileCache(join(repositoryRoot, '.cache', 'compiled'));
  const { runSpectral } = await import('./spectral.ts');
  return runSpectral(sources);
}

async function readOrReport(file: string): Promise<{ source?: SpecSource; findings: Finding[] }> {
  try {
    return { source: await readSpecSource(file), findings: [] };
  } catch (error) {
    const cause = messageOf(error);
    return {
      findings: [{ file: displayPath(file), line: 1, column: 1, rule: 'file', message: `cannot be read: ${cause}` }],
    };
  }
}

/**
 * Reports each YAML file of `spec/` that nothing reads, such as a spec that the list of specs does not name.
 *
 * @param present - the YAML files in `spec/`
 * @param read - the files that the lint or a generator reads
 */
export function checkUnread(present: readonly string[], read: readonly string[]): Finding[] {
  return present
    .filter((file) => !read.includes(file))
    .map((file) => ({
      file: displayPath(file),
      line: 1,
      column: 1,
      rule: 'file-read',
      message: 'nothing reads this file: add its name to `products` in scripts/spec/files.ts, or remove it',
    }));
}
