import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sandboxUrl } from '../../../scripts/samples/parts.ts';
import { deriveEnvelope } from '../../../scripts/spec/envelope.ts';
import { type RunningServer, serve } from '../../../src/shared/server/serve.ts';
import { once } from '../../support/once/once.ts';
import { type Sample, samplesIn } from '../../support/samples.ts';
import { type FreshSandbox, freshSandbox } from './fresh-sandbox.ts';
import { runTogether } from './run-together.ts';
import type { Outcome, Runner } from './runner.ts';

/** How many threads run at once. */
const lanes = 2;
/** How many samples run in a thread. */
const most = 100;

/** Runs each sample as a reader does: copied into a file of a project with the installed package, against its own sandbox. */
export const typescriptRunner: Runner = {
  async run(language) {
    const outcomes = new Map<string, Outcome>();
    const { nodeModules } = await once('installed');
    const folder = await mkdtemp(join(tmpdir(), 'carillon-samples-'));
    const waiting = samplesIn(language);
    try {
      await symlink(nodeModules, join(folder, 'node_modules'));
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
      await Promise.all(Array.from({ length: lanes }, runLane));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return outcomes;

    async function runLane(): Promise<void> {
      while (waiting.length > 0) {
        const ready = await Promise.all(waiting.splice(0, most).map((sample) => prepare(sample, folder)));
        try {
          const ended = await runTogether(ready.map(({ file }) => file));
          for (const [index, { sample, sandbox }] of ready.entries()) {
            const { requests, failures } = sandbox;
            const outcome = ended[index] ?? { error: 'It did not run', printed: [], warnings: [] };
            outcomes.set(sample.name, { ...outcome, requests, failures });
          }
        } finally {
          await Promise.all(ready.map(({ server }) => server.close()));
        }
      }
    }
  },
  check({ printed, warnings }, { language, operation, text }) {
    // A method without a payload has nothing to show, and a list of certain days is empty in the sandbox on other days.
    const hasDates = operation.operation['x-pagination'] !== undefined && /\d{4}-\d\d-\d\d/.test(text);
    const isSilent = language === 'typescript' && (hasDates || !deriveEnvelope(operation).payload);
    expect(printed.length).toBeGreaterThanOrEqual(isSilent ? 0 : 1);
    expect(printed).not.toContain('undefined');
    const { operationId, key } = operation;
    const { deprecated = false } = operation.operation;
    expect(warnings).toEqual(deprecated ? [`carillon: ${key} (${operationId}) is deprecated`] : []);
  },
};

interface Ready {
  sample: Sample;
  file: string;
  sandbox: FreshSandbox;
  server: RunningServer;
}

/** Writes a sample into a file, and starts a sandbox for it. */
async function prepare(sample: Sample, folder: string): Promise<Ready> {
  const sandbox = freshSandbox();
  const server = await serve({ fetch: (request) => sandbox.fetch(request) }, { port: 0 });
  const file = join(folder, `${sample.name.replaceAll('/', '-')}.ts`);
  // Only the port differs: another program may listen on the sandbox's.
  await writeFile(file, sample.text.replace(sandboxUrl, server.url));
  return { sample, file, sandbox, server };
}
