import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { startMcpServer } from './http-server.ts';

/*
 * The protocol's own conformance suite. It speaks only HTTP and sends no token. It needs another tool.
 */

const noTestTool = 'It calls a tool of the reference server. The tools of this server are those of the API.';
const noPrompts = 'The server has no prompts.';
const noResources = 'The server has no resources.';

/** Scenarios that do not apply, with the reasons. */
const notApplicable: Record<string, string> = {
  'logging-set-level': 'The server sends no log messages to clients: its log is the standard error output.',
  'completion-complete': 'Completion is for arguments of prompts and resources, which the server does not have.',
  'tools-call-simple-text': noTestTool,
  'tools-call-image': noTestTool,
  'tools-call-audio': noTestTool,
  'tools-call-embedded-resource': noTestTool,
  'tools-call-mixed-content': noTestTool,
  'tools-call-with-logging': noTestTool,
  'tools-call-error': noTestTool,
  'tools-call-with-progress': noTestTool,
  'tools-call-sampling': noTestTool,
  'tools-call-elicitation': noTestTool,
  'json-schema-2020-12': noTestTool,
  'elicitation-sep1034-defaults': noTestTool,
  'elicitation-sep1330-enums': noTestTool,
  'server-sse-polling': 'It only recommends what makes a stream resumable, and checks nothing that must hold.',
  'resources-list': noResources,
  'resources-read-text': noResources,
  'resources-read-binary': noResources,
  'resources-templates-read': noResources,
  'resources-subscribe': noResources,
  'resources-unsubscribe': noResources,
  'prompts-list': noPrompts,
  'prompts-get-simple': noPrompts,
  'prompts-get-with-args': noPrompts,
  'prompts-get-embedded-resource': noPrompts,
  'prompts-get-with-image': noPrompts,
};

it('passes every scenario of the conformance suite that applies', async () => {
  const nodeModules = inject('tools');
  const folder = mkdtempSync(join(tmpdir(), 'carillon-conformance-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const server = await startMcpServer(folder, '--no-token');
  onTestFinished(async () => void (await server.close()));
  const program = join(nodeModules, '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
  const output = await run(program, ['server', '--url', server.url, '--suite', 'all']);
  // A scenario must have at least one passed check.
  const results = Array.from(
    output.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm),
    ([, name, passed, failed]) => ({
      name: name ?? '',
      hasPassed: Number(passed) > 0 && Number(failed) === 0,
    }),
  );
  expect(results.length, output).toBeGreaterThan(30);
  const failed = results.filter(({ hasPassed }) => !hasPassed).map(({ name }) => name);
  expect(failed.toSorted()).toEqual(Object.keys(notApplicable).toSorted());
}, 120_000);

/** Returns the output of the suite, which exits with 1 if any scenario fails. */
function run(program: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [program, ...args],
      { timeout: 90_000, env: { ...process.env, NO_COLOR: '1' } },
      (error, stdout) => {
        if (error && error.code !== 1) reject(error);
        else resolve(stdout);
      },
    );
  });
}
