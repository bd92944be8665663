import fs from 'node:fs';
import { join } from 'node:path';
import core, { type Ruleset } from '@stoplight/spectral-core';
import parsers from '@stoplight/spectral-parsers';
import { bundleAndLoadRuleset } from '@stoplight/spectral-ruleset-bundler/with-loader';
import { repositoryRoot } from '../spec/files.ts';
import type { Finding } from './finding.ts';
import { findingAt, type SpecSource } from './spec-source.ts';

const rulesetFile = join(repositoryRoot, '.spectral.yaml');
let ruleset: Promise<Ruleset> | undefined;

async function loadRuleset(): Promise<Ruleset> {
  try {
    return await bundleAndLoadRuleset(rulesetFile, { fs, fetch });
  } catch (error) {
    const causes = error instanceof AggregateError ? error.errors : [error];
    throw new Error(`Could not load the rules; fix .spectral.yaml or spec/rules:\n${causes.map(String).join('\n')}`);
  }
}

/** Checks the project's rules and Spectral's own. Warnings count as errors. */
export async function runSpectral(sources: SpecSource[]): Promise<Finding[]> {
  ruleset ??= loadRuleset();
  const spectral = new core.Spectral();
  spectral.setRuleset(await ruleset);
  const found: Finding[] = [];
  for (const source of sources) {
    const results = await spectral.run(new core.Document(source.text, parsers.Yaml, source.file));
    for (const { code, message, path } of results) {
      found.push(findingAt(source, path, String(code), message.replace(/\s+/g, ' ')));
    }
  }
  return found;
}
