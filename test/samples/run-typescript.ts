import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sandboxUrl } from '../../scripts/samples/parts.ts';
import { deriveEnvelope } from '../../scripts/spec/envelope.ts';
import { serve } from '../../src/server/serve.ts';
import { once } from '../support/once/once.ts';
import { type FreshSandbox, freshSandbox } from './fresh-sandbox.ts';
import { runAlone } from './run-alone.ts';
import type { Outcome, Runner } from './runner.ts';
import { samplesIn } from './samples.ts';

/** How many samples run at once. */
const lanes = 2;

/** Runs each sample as a reader does: copied into a file of a project with the installed package, and run alone. */
export const typescriptRunner: Runner = {
  async run(language) {
    const outcomes = new Map<string, Outcome>();
    const { nodeModules } = await once('installed');
    const folder = await mkdtemp(join(tmpdir(), 'carillon-samples-'));
    const waiting = samplesIn(language);
    try {
      await symlink(nodeModules, join(folder, 'node_modules'));
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
      await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return outcomes;

    async function runLane(lane: number): Promise<void> {
      let sandbox: FreshSandbox | undefined;
      const server = await serve(
        { fetch: (request) => sandbox?.fetch(request) ?? new Response(null, { status: 503 }) },
        { port: 0 },
      );
      const file = join(folder, `sample-${lane}.ts`);
      try {
        for (let sample = waiting.shift(); sample; sample = waiting.shift()) {
          sandbox = freshSandbox();
          const { requests, failures } = sandbox;
          // Only the port differs: another program may listen on the sandbox's.
          await writeFile(file, sample.text.replace(sandboxUrl, server.url));
          outcomes.set(sample.name, { ...(await runAlone(file)), requests, failures });
        }
      } finally {
        await server.close();
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
