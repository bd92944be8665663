import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { buildTracing } from '../../../scripts/check/runtimes/build-program.ts';
import { openTelemetry } from '../../../scripts/check/runtimes/package.ts';
import { useProject } from './installed.ts';

const project = useProject('tracing', ...openTelemetry());

test("carillon/otel of the installed package makes the spans of OpenTelemetry's SDK", async () => {
  await buildTracing(project());
  const options = { cwd: project(), timeout: 30_000 };
  const output = await promisify(execFile)(process.execPath, ['tracing.js'], options);
  expect(output).toEqual({ stdout: 'plain retry replay deadline abort batch\n', stderr: '' });
});
