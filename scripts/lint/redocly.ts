import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { repositoryRoot } from '../spec/files.ts';
import { displayPath, type Finding } from './finding.ts';

const program = join(repositoryRoot, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
const configuration = join(repositoryRoot, 'redocly.yaml');
const environment = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };
/** Timeout in milliseconds. Redocly takes a few seconds, but far longer on a busy machine. */
const timeout = 300_000;

const report = z.object({
  problems: z.array(
    z.object({
      ruleId: z.string(),
      message: z.string(),
      location: z
        .array(
          z.object({
            source: z.object({ ref: z.string() }),
            start: z.object({ line: z.number(), col: z.number() }).default({ line: 1, col: 1 }),
          }),
        )
        .min(1),
    }),
  ),
});

type Report = z.infer<typeof report>;

/**
 * Checks the Redocly rules in redocly.yaml. This version of Redocly has no library, so its command runs, in parallel with
 * Spectral.
 */
export async function runRedocly(files: string[]): Promise<Finding[]> {
  if (files.length === 0) return [];
  const reports = await run(['lint', '--format=json', '--max-problems=100000', ...files]);
  return reports
    .flatMap(({ problems }) => problems)
    .flatMap(({ ruleId, message, location: [place] }) => {
      if (!place) return [];
      const { source, start } = place;
      const file = displayPath(join(repositoryRoot, source.ref));
      return [
        { file, line: start.line, column: start.col, rule: ruleId, message: message.replace(/\s+/g, ' ').trim() },
      ];
    });
}

/** Redocly prints one report per file, whatever its exit code. */
function run(args: string[]): Promise<Report[]> {
  const options = {
    cwd: repositoryRoot,
    env: { ...process.env, ...environment },
    timeout,
    maxBuffer: 2 ** 26,
  };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, ...args, `--config=${configuration}`], options, (error, output, log) => {
      try {
        resolve(output.split(/(?<=^\})(?=\{$)/m).map((text) => report.parse(JSON.parse(text))));
      } catch {
        if (error?.killed) {
          reject(
            new Error(
              `Redocly returned no result within ${timeout / 1_000} s. Try again when the machine is less busy.`,
            ),
          );
          return;
        }
        const cause = log.trim().split('\n').slice(0, 5).join('\n') || error?.message;
        reject(new Error(`Redocly printed no report. Run \`npm ci\`, and check redocly.yaml.\n${cause}`));
      }
    });
  });
}
