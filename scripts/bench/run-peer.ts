import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A separate package with everything that is compared, so that its programs import it as users do. */
export const peersFolder = join(import.meta.dirname, 'peers');

const deadline = 300_000;

/** Runs one of the programs in `peers/` in its own process, and returns the JSON that it prints. */
export async function runPeer<Result>(program: string, task: object, nodeOptions: string[] = []): Promise<Result> {
  const args = [...nodeOptions, join(peersFolder, program), JSON.stringify(task)];
  const stdout = await runCommand(process.execPath, args, peersFolder);
  return JSON.parse(stdout);
}

/** Runs a command to its end. Returns its output; fails with its errors. */
export async function runCommand(command: string, args: string[], cwd: string): Promise<string> {
  const environment = {
    ...process.env,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    SCARF_ANALYTICS: 'false',
  };
  const options = { cwd, env: environment, timeout: deadline, maxBuffer: 64 * 1024 * 1024 };
  try {
    return (await run(command, args, options)).stdout;
  } catch (error) {
    throw new Error(`${[command, ...args].join(' ').slice(0, 200)} failed: ${describe(error)}`);
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const printed = ['stderr', 'stdout'].map((name) => String(Reflect.get(error, name) ?? '').trim()).filter(Boolean);
  return printed.join('\n') || error.message;
}
