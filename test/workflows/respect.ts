import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { repositoryRoot, specNames } from '../../scripts/spec/files.ts';
import { loadSpec } from '../../scripts/spec/model.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { serve } from '../../src/server/serve.ts';
import { startAt } from '../sandbox/support.ts';
import type { WorkflowFile } from './expectations.ts';

const program = join(repositoryRoot, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
const environment = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  SCARF_ANALYTICS: 'false',
  NO_COLOR: '1',
};
const deadline = 45_000;

export interface Outcome {
  passed: boolean;
  output: string;
}

/** Runs Redocly's program; one that does not end in time is killed, and rejects. */
export function redocly(args: string[]): Promise<Outcome> {
  const options = { cwd: repositoryRoot, env: { ...process.env, ...environment }, timeout: deadline };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...args], options, (error, output, log) => {
      if (error && typeof error.code !== 'number') reject(new Error(`Redocly did not end by itself: ${error.message}`));
      else resolve({ passed: error === null, output: output + log });
    });
  });
}

/** Runs the workflows of a file against a sandbox of their own, served over HTTP. */
export async function respect(path: string, file: WorkflowFile, options: string[] = []): Promise<Outcome> {
  const server = await serve(createSandbox({ startAt, control: true }), { port: 0 });
  try {
    const servers = file.sourceDescriptions.map(({ name }) => [name, baseOf(name, server.url)]);
    return await redocly([
      'respect',
      path,
      `--server=${JSON.stringify(Object.fromEntries(servers))}`,
      `--input=${JSON.stringify({ apiKey: 'any', clientId: 'any', clientSecret: 'any' })}`,
      ...options,
    ]);
  } finally {
    await server.close();
  }
}

/** Where the operations of a source stand: a spec's below its own server, any other's directly below the address. */
function baseOf(source: string, url: string): string {
  const name = specNames.find((spec) => spec === source);
  return name ? (loadSpec(name).document.servers[0]?.url.replace('{base_url}', url) ?? url) : url;
}
