import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { repositoryRoot, specNames } from '../../../scripts/spec/files.ts';
import { loadSpec } from '../../../scripts/spec/model.ts';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import { type RunningServer, serve } from '../../../src/shared/server/serve.ts';

const program = join(repositoryRoot, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
const environment = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  SCARF_ANALYTICS: 'false',
  NO_COLOR: '1',
};
const deadline = 90_000;

const criterion = z.looseObject({ condition: z.string(), type: z.string().optional() });
const step = z.looseObject({ stepId: z.string(), successCriteria: z.array(criterion).min(1) });

/** The parts of a workflow file that are read. */
export const workflowFile = z.looseObject({
  sourceDescriptions: z.array(z.looseObject({ name: z.string(), url: z.string() })),
  workflows: z.array(z.looseObject({ workflowId: z.string(), steps: z.array(step).min(1) })).min(1),
});

export type WorkflowFile = z.infer<typeof workflowFile>;
export type Criterion = z.infer<typeof criterion>;

export interface Outcome {
  passed: boolean;
  output: string;
}

/** Runs Redocly's command, because it has no library. Kills it and rejects after the deadline. */
export function redocly(args: string[]): Promise<Outcome> {
  const options = { cwd: repositoryRoot, env: { ...process.env, ...environment }, timeout: deadline };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...args], { ...options, maxBuffer: 2 ** 26 }, (error, output, log) => {
      if (error && typeof error.code !== 'number') reject(new Error(`Redocly was killed: ${error.message}`));
      else resolve({ passed: error === null, output: output + log });
    });
  });
}

const check = z.object({ name: z.string(), status: z.string(), message: z.string().optional() });
const played = z.object({
  executedWorkflows: z.array(
    z.object({
      workflowId: z.string(),
      status: z.string(),
      executedSteps: z.array(z.object({ stepId: z.string().optional(), checks: z.array(check).optional() })),
    }),
  ),
});
/** Redocly's report by path. */
const report = z.object({ files: z.record(z.string(), played) });

/** Results of the workflows of one file. */
export interface Played {
  /** Each workflow with its status. */
  workflows: [id: string, status: string][];
  /** The status of each checked success criterion. */
  criteria: string[];
  /** Other checks that failed. */
  others: string[];
  /** Failed checks. */
  problems: { workflow: string; step: string; problem: string }[];
}

/**
 * Runs the workflows of many files in one process, each file with its own sandbox. For that, sources get unique names. They
 * are resolved from the file's folder.
 *
 * @param files - name of a copy → its workflows
 * @param createSandbox - creates a controllable sandbox
 */
export async function respect(
  files: ReadonlyMap<string, WorkflowFile>,
  folder: { sources: string; copies: string },
  createSandbox: () => Sandbox,
  options: string[] = [],
): Promise<ReadonlyMap<string, Played>> {
  const running: RunningServer[] = [];
  const bases: [string, string][] = [];
  try {
    for (const [name, file] of files) {
      const server = await serve(createSandbox(), { port: 0 });
      running.push(server);
      const prefix = `source${running.length}-`;
      bases.push(
        ...file.sourceDescriptions.map((source): [string, string] => [
          prefix + source.name,
          baseOf(source.name, resolve(folder.sources, source.url), server.url),
        ]),
      );
      await writeFile(join(folder.copies, name), rename(file, prefix, folder.sources));
    }
    const log = join(folder.copies, 'log.json');
    const { output } = await redocly([
      'respect',
      ...[...files.keys()].map((name) => join(folder.copies, name)),
      `--server=${JSON.stringify(Object.fromEntries(bases))}`,
      `--input=${JSON.stringify({ apiKey: 'any', clientId: 'any', clientSecret: 'any' })}`,
      `--json-output=${log}`,
      ...options,
    ]);
    const text = await readFile(log, 'utf8').catch(() => {
      throw new Error(`Redocly wrote no log:\n${output}`);
    });
    const logged = Object.entries(report.parse(JSON.parse(text)).files);
    return new Map(logged.map(([path, file]) => [basename(path), summarise(file)]));
  } finally {
    await Promise.all(running.map((server) => server.close()));
  }
}

function summarise({ executedWorkflows }: z.infer<typeof played>): Played {
  const checks = executedWorkflows.flatMap(({ executedSteps }) => executedSteps.flatMap((step) => step.checks ?? []));
  const isCriterion = ({ name }: z.infer<typeof check>): boolean => name === 'success criteria check';
  return {
    workflows: executedWorkflows.map(({ workflowId, status }) => [workflowId, status]),
    criteria: checks.filter(isCriterion).map(({ status }) => status),
    others: checks.filter((one) => !isCriterion(one) && one.status !== 'success').map(({ name }) => name),
    problems: executedWorkflows.flatMap(({ workflowId: workflow, executedSteps }) =>
      executedSteps.flatMap(({ stepId: step = '', checks = [] }) =>
        checks
          .filter(({ status }) => status !== 'success')
          .map(({ name, message = '' }) => ({ workflow, step, problem: `${name}: ${message}` })),
      ),
    ),
  };
}

/** A copy as YAML, with renamed sources. */
function rename(file: WorkflowFile, prefix: string, sources: string): string {
  const sourceDescriptions = file.sourceDescriptions.map((source) => ({
    ...source,
    name: prefix + source.name,
    url: resolve(sources, source.url),
  }));
  const text = stringify({ ...file, sourceDescriptions });
  return text.replaceAll('$sourceDescriptions.', `$sourceDescriptions.${prefix}`);
}

/** The base address of a source's operations: below its server for a spec, or the address itself. */
function baseOf(source: string, file: string, url: string): string {
  const name = specNames.find((spec) => spec === source);
  return name ? (loadSpec(name, file).openapi.servers[0]?.url.replace('{base_url}', url) ?? url) : url;
}
