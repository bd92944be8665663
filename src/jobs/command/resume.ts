import { createInterface } from 'node:readline/promises';
import { UsageError } from '../../shared/command-line.ts';
import { UnansweredError } from '../control/resume-job.ts';
import { JobsError } from '../jobs-error.ts';
import { readRows } from '../sources/read-rows.ts';
import type { Jobs, ResumeAnswer } from '../types.ts';
import { linesOf, timeOf } from './arguments.ts';
import { print } from './control.ts';
import { noClient } from './environment.ts';
import type { OutputOptions } from './output.ts';
import { withJobs } from './session.ts';

/** Options of `carillon-jobs resume`. */
interface ResumeOptions extends OutputOptions {
  sent?: string;
  sentFile?: string;
  sentBefore?: string;
}

/** `carillon-jobs resume`. Asks at a terminal which rows were sent, if the data went back. Resolves to the exit code. */
export async function resume(options: ResumeOptions, [name = '']: string[]): Promise<number> {
  const answer = await answerOf(options);
  return withJobs(noClient, async (jobs) => {
    try {
      print(await jobs.resume(name, answer), options);
    } catch (error) {
      if (!(error instanceof UnansweredError && process.stdin.isTTY && process.stderr.isTTY)) throw error;
      console.error(error.message);
      print(await jobs.resume(name, await ask(jobs, name)), options);
    }
    return 0;
  });
}

async function ask(jobs: Jobs, name: string): Promise<ResumeAnswer> {
  const { rows } = await jobs.status(name);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const text = await terminal.question(
      `Which of the ${rows.planned} planned rows may have been sent? Lines such as 2-400,512, or all, or none: `,
    );
    return { sent: rowsOf(text) };
  } finally {
    terminal.close();
  }
}

async function answerOf({ sent, sentFile, sentBefore }: ResumeOptions): Promise<ResumeAnswer> {
  if ([sent, sentFile, sentBefore].filter((each) => each !== undefined).length > 1)
    throw new UsageError('Use one of --sent, --sent-file and --sent-before.');
  if (sent !== undefined) return { sent: rowsOf(sent) };
  if (sentFile !== undefined) return { sent: await readSent(sentFile) };
  return { sentBefore: timeOf(sentBefore, 'sent-before') };
}

/** Parses lines such as `2-400,512`. */
function rowsOf(text: string): NonNullable<ResumeAnswer['sent']> {
  const given = text.trim();
  if (given === 'all' || given === 'none') return given;
  const lines = linesOf(given);
  if (lines.some((line) => typeof line === 'string'))
    throw new UsageError(`The rows must be lines such as 2-400,512, or all, or none, not '${text}'.`);
  return lines;
}

/** Reads keys or lines from a file. */
async function readSent(file: string): Promise<NonNullable<ResumeAnswer['sent']>> {
  const sent: (string | readonly [number, number])[] = [];
  for await (const { line, values } of readRows(file)) {
    const { key, line: given } = values;
    if (typeof key === 'string' && key !== '') sent.push(key);
    else if (/^\d+$/.test(String(given))) sent.push([Number(given), Number(given)]);
    else throw new JobsError(`${file}, line ${line}: the row needs a key, or the line of a row of the job.`);
  }
  return sent;
}
