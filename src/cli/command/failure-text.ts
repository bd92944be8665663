import type { Sent } from 'carillon';
import { behindName } from '../../shared/command-line.ts';
import { failureLines } from '../catalogue/failure-lines.ts';
import { exitCodes } from './exit-codes.ts';
import { json } from './output.ts';

/** A failure of a call, with the data that people and scripts read. */
export interface CommandFailure {
  readonly exitCode: number;
  readonly message: string;
  /** ID of the operation, if the command line names a method. */
  readonly operation?: string | undefined;
  /** HTTP status of the response. */
  readonly status?: number | undefined;
  /** Error code of the service. */
  readonly code?: string | undefined;
  /** Whether the service processed the call. */
  readonly sent?: Sent | undefined;
  readonly next?: string | undefined;
}

/** Writes a failure as lines for people. */
export function failureText({ message, sent, next }: CommandFailure): string {
  return `${failureLines(behindName('carillon', message), sent, next)}\n`;
}

const sendNothing: readonly number[] = [exitCodes.usage, exitCodes.configuration, exitCodes.unconfirmed];

/** Writes a failure as one line of JSON for scripts. */
export function failureLine({ operation, status, code, message, sent, next, exitCode }: CommandFailure): string {
  const known = sent ?? (sendNothing.includes(exitCode) ? 'no' : undefined);
  return `${json({ operation, status, code, message, sent: known, next, exitCode })}\n`;
}

/** Whether a command line asks for JSON with `--output`. The rest of the command line may be invalid. */
export function asksForJson(args: readonly string[]): boolean {
  const values = args.flatMap(
    (word, at) => (word === '--output' ? args[at + 1] : /^--output=(.*)$/.exec(word)?.[1]) ?? [],
  );
  return ['json', 'ndjson'].includes(values.at(-1) ?? '');
}
