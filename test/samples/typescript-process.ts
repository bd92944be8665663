/**
 * Runs the TypeScript samples of the language that its argument names, one after the other, each against a fresh sandbox
 * instead of the network. Sends its parent each name with the outcome. `carillon` is this project's source.
 */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { sampleLanguages } from '../../scripts/samples/languages.ts';
import { keyVariable } from '../../scripts/samples/parts.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import { freshSandbox } from './fresh-sandbox.ts';
import type { Outcome } from './runner.ts';
import { type Sample, samplesIn } from './samples.ts';

const language = sampleLanguages.find(({ id }) => id === process.argv[2]);
if (!language) throw new Error(`No sample language is called ${process.argv[2]}`);
const samples = samplesIn(language.id);
const scheme = 'sample:';
const texts = new Map(samples.map(({ name, text }) => [scheme + name, text]));

const client = pathToFileURL(join(repositoryRoot, 'src', 'index.ts')).href;
registerHooks({
  resolve(specifier, context, next) {
    if (texts.has(specifier)) return { url: specifier, shortCircuit: true };
    return next(specifier === 'carillon' ? client : specifier, context);
  },
  load(url, context, next) {
    const source = texts.get(url);
    return source === undefined ? next(url, context) : { format: 'module-typescript', source, shortCircuit: true };
  },
});
// A reader without a key.
delete process.env[keyVariable];

async function run({ name }: Sample): Promise<Outcome> {
  const { fetch, requests, failures } = freshSandbox();
  const outcome: Outcome = { printed: [], warnings: [], requests, failures };
  globalThis.fetch = fetch;
  console.log = (...values: unknown[]) => outcome.printed.push(values.map((value) => inspect(value)).join(' '));
  console.warn = (...values: unknown[]) => outcome.warnings.push(values.join(' '));
  try {
    await import(scheme + name);
  } catch (error) {
    outcome.error = inspect(error);
  }
  return outcome;
}

for (const sample of samples) process.send?.([sample.name, await run(sample)]);
process.disconnect?.();
