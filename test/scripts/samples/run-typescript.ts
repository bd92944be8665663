import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject } from 'vitest';
import { keyVariable, sandboxUrl } from '../../../scripts/samples/parts.ts';
import { deriveEnvelope } from '../../../scripts/spec/envelope.ts';
import { type RunningServer, serve } from '../../../src/shared/server/serve.ts';
import { type Sample, samplesIn } from '../../support/samples.ts';
import { type FreshSandbox, freshSandbox } from './fresh-sandbox.ts';
import type { Outcome, Runner } from './runner.ts';

/** Timeout for all samples of a language, in milliseconds. */
const patience = 120_000;

/**
 * Imports the samples one after another. A process for each of the 340 would take a quarter of the CPU time of all tests.
 * The mark separates their outputs.
 */
const program = `const [mark, ...samples] = process.argv.slice(2);
for (const sample of samples) {
  console.log(mark);
  console.warn(mark);
  await import(sample).catch((error) => console.error(error));
}
`;

/** Runs each sample as a reader does: copied into a project with the installed package, against its own sandbox. */
export const typescriptRunner: Runner = {
  async run(language) {
    const folder = await mkdtemp(join(tmpdir(), 'carillon-samples-'));
    const ready = await Promise.all(samplesIn(language).map((sample) => prepare(sample, folder)));
    try {
      await symlink(inject('installed'), join(folder, 'node_modules'));
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
      await writeFile(join(folder, 'program.js'), program);
      const mark = `-- ${randomUUID()}`;
      const { stdout, stderr, failure } = await runProgram(folder, [mark, ...ready.map(({ file }) => file)]);
      const [printed, warnings] = [stdout, stderr].map((text) => partsOf(text, mark));
      const outcomes = new Map<string, Outcome>();
      for (const [index, { sample, sandbox }] of ready.entries()) {
        const lines = printed?.[index];
        if (!lines) break;
        // The last started sample is the one that ended the process.
        const error = printed[index + 1] ? undefined : failure;
        const { requests, failures } = sandbox;
        outcomes.set(sample.name, { error, printed: lines, warnings: warnings?.[index] ?? [], requests, failures });
      }
      return outcomes;
    } finally {
      await Promise.all(ready.map(({ server }) => server.close()));
      await rm(folder, { recursive: true, force: true });
    }
  },
  check({ printed, warnings }, { language, operation, text }) {
    // A method without a payload prints nothing, and a list filtered by date may be empty in the sandbox.
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
  const file = `./${sample.name.replaceAll('/', '-')}.ts`;
  // Replaces only the port, because another program may use the sandbox's.
  await writeFile(join(folder, file), sample.text.replace(sandboxUrl, server.url));
  return { sample, file, sandbox, server };
}

/** Runs the program without a key. Returns its output, and the reason if it failed. */
async function runProgram(
  folder: string,
  args: string[],
): Promise<{ stdout: string; stderr: string; failure?: string }> {
  const { [keyVariable]: _, ...env } = process.env;
  try {
    return await promisify(execFile)(process.execPath, ['program.js', ...args], {
      cwd: folder,
      env,
      timeout: patience,
      killSignal: 'SIGKILL',
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const { stdout, stderr } = Object(error);
    return { stdout: `${stdout}`, stderr: `${stderr}`, failure: `The program failed: ${error}` };
  }
}

/** The lines after each mark. */
function partsOf(text: string, mark: string): string[][] {
  return text
    .split(`${mark}\n`)
    .slice(1)
    .map((part) => (part === '' ? [] : part.trimEnd().split('\n')));
}
