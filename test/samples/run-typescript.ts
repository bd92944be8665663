/**
 * Runs every TypeScript sample in one process, one after the other, each against a fresh sandbox instead of the network, and
 * sends the parent what came of it. `carillon` is this project's source.
 */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { environment } from '../../scripts/generate/samples-parts.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import type { LoggedRequest } from '../../src/sandbox/index.ts';
import { type Sample, typescriptSamples } from './samples.ts';
import { tellStory } from './story.ts';

export interface Outcome {
  name: string;
  /** What it threw. */
  error?: string;
  printed: string[];
  warnings: string[];
  requests: readonly LoggedRequest[];
  failures: string[];
}

const client = pathToFileURL(join(repositoryRoot, 'src', 'index.ts')).href;
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'carillon' ? client : specifier, context),
});
process.env[environment.apiKey] = 'any';

async function run({ name, file, operation }: Sample): Promise<Outcome> {
  const { fetch, requests, failures } = tellStory(operation);
  const outcome: Outcome = { name, printed: [], warnings: [], requests, failures };
  globalThis.fetch = fetch;
  console.log = (...values: unknown[]) => outcome.printed.push(values.map((value) => inspect(value)).join(' '));
  console.warn = (...values: unknown[]) => outcome.warnings.push(values.join(' '));
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    outcome.error = inspect(error);
  }
  return outcome;
}

for (const sample of typescriptSamples) process.send?.(await run(sample));
process.disconnect?.();
