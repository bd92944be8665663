import { existsSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { behindName, createCommand, parseCommand, repeated, UsageError } from '../../shared/command-line.ts';
import {
  mergeObserved,
  type Observed,
  ObservedFileError,
  readObserved,
  writeObserved,
} from '../../shared/observed/observed.ts';
import { checkFile, ObservedFile } from '../../shared/observed/observed-file.ts';
import { Recorder } from '../../shared/observed/recorder.ts';
import { type Findings, findAll } from '../learn/findings.ts';
import { createOverlay } from '../learn/overlay.ts';
import { writeOwnFields } from '../learn/own-fields.ts';
import { learntProducts } from '../learn/products.ts';
import { readRecording } from '../learn/read-recording.ts';
import { plural, writeReport } from '../learn/report.ts';
import { exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';

const line = 'carillon learn';

/** Input and output that `carillon learn` needs. */
export type LearnIo = Pick<Io, 'env' | 'write' | 'note' | 'openFile'>;

interface Flags {
  out?: string;
}

interface LearnFlags extends Flags {
  baseUrl?: string;
  names?: boolean;
}

interface ReportFlags extends Flags {
  markdown?: boolean;
  all?: boolean;
}

interface OverlayFlags extends Flags {
  accept?: string[];
}

/** One command: its usage, and what it does. */
interface Part<Options extends Flags> {
  usage: (name: string) => Command;
  run: (args: readonly string[], options: Options, io: LearnIo) => Promise<void>;
}

const learnPart: Part<LearnFlags> = {
  usage: (name) =>
    createCommand(name, 'Learns from recorded replies what is not documented. No value is written.')
      .argument('<recording...>', 'recordings to learn from: .har or .ndjson')
      .option('--base-url <url>', 'address of the service in the recording (default: CARILLON_BASE_URL)')
      .option('--out <file>', 'file of observations to add to', 'observed.json')
      .option('--names', 'write names in maps, too, such as those of your own variables: they may be personal data')
      .addHelpText('after', examples),
  run: learn,
};

const examples = `
Examples:
  ${line} traffic.har --base-url https://api.example.com
  ${line} report observed.json --markdown > report.md
  ${line} overlay crm observed.json --accept all --out crm.overlay.json`;

const mergePart: Part<Flags> = {
  usage: (name) => readingCommand(name, 'Merges observations of accounts.'),
  run: merge,
};

const reportPart: Part<ReportFlags> = {
  usage: (name) =>
    readingCommand(name, 'Reports what the observations settle.')
      .option('--markdown', 'write Markdown')
      .option('--all', 'report also the points that were not seen'),
  async run(files, { markdown, all, out }, io) {
    await give(writeReport(await findIn(files), { markdown, isWhole: all }), out, io);
  },
};

const overlayPart: Part<OverlayFlags> = {
  usage: (name) =>
    createCommand(name, 'Writes the observations about a spec as an OpenAPI Overlay 1.0.')
      .argument('<spec>', `${learntProducts.map((product) => product.name).join(', ')}`)
      .argument('<file...>', 'files of observations')
      .option('--accept <pointer>', 'close a settled point of the spec, or all of them; can be repeated', repeated)
      .option('--out <file>', 'file to write (default: the output)'),
  run: overlay,
};

const typesPart: Part<Flags> = {
  usage: (name) => readingCommand(name, "Declares your account's own fields in TypeScript."),
  async run(files, { out }, io) {
    await give(writeOwnFields(await findIn(files)), out, io);
  },
};

const parts: Readonly<Record<string, Part<object>>> = {
  merge: mergePart,
  report: reportPart,
  overlay: overlayPart,
  types: typesPart,
};

function readingCommand(name: string, about: string): Command {
  return createCommand(name, about)
    .argument('<file...>', 'files of observations, such as observed.json')
    .option('--out <file>', 'file to write (default: the output)');
}

/** Whether a word after `carillon learn` is a command, not a recording. */
export function isLearnCommand(word: string): boolean {
  return Object.hasOwn(parts, word);
}

/**
 * Runs `carillon learn`.
 *
 * @returns the exit code
 */
export async function runLearn(args: readonly string[], io: LearnIo): Promise<number> {
  const [first = '--help', ...rest] = args;
  const part = isLearnCommand(first) ? parts[first] : undefined;
  const name = part ? `${line} ${first}` : line;
  try {
    if (part) await runPart(part, part.usage(name), rest, io);
    else {
      const usage = learnPart.usage(name);
      for (const [word, { usage: create }] of Object.entries(parts)) usage.addCommand(create(word));
      usage.action(() => undefined);
      await runPart(learnPart, usage, [first, ...rest], io);
    }
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof ObservedFileError)) throw error;
    io.note(`${behindName(line, error.message)}\n`);
    return exitCodes.usage;
  }
}

async function runPart<Options extends Flags>(
  { run }: Part<Options>,
  usage: Command,
  args: readonly string[],
  io: LearnIo,
): Promise<void> {
  let help = '';
  const given = parseCommand<Options>(usage, args, (text) => {
    help += `${text}\n`;
  });
  if (given) await run(given.args, given.options, io);
  else await io.write(help);
}

async function overlay([name, ...files]: readonly string[], { accept, out }: OverlayFlags, io: LearnIo): Promise<void> {
  const product = learntProducts.find((one) => one.name === name);
  if (!product) throw new UsageError(`Name the spec: ${line} overlay crm, messaging or email, then the files.`);
  const findings = await findIn(files);
  const unknown = accept?.find((one) => one !== 'all' && !product.points.some(({ at }) => at === one));
  if (unknown !== undefined)
    throw new UsageError(
      `--accept: ${product.name}.yaml has no open point at that pointer. ${line} report lists the pointers of settled points.`,
    );
  for (const at of accept ?? []) {
    const isSettled = findings.points.some((one) => one.point.at === at && one.state === 'settled');
    if (at !== 'all' && !isSettled) io.note(`--accept ${at}: not closed, because the observations do not settle it\n`);
  }
  await give(`${JSON.stringify(createOverlay(findings, product.name, { accept }), undefined, 2)}\n`, out, io);
}

async function learn(
  files: readonly string[],
  { baseUrl = '', out = 'observed.json', names }: LearnFlags,
  io: LearnIo,
): Promise<void> {
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) throw new UsageError(`${missing} does not exist. ${line} --help shows the usage.`);
  const folder = files.find((file) => statSync(file).isDirectory());
  if (folder !== undefined) throw new UsageError(`${folder} is a folder. Name a recording.`);
  const address = baseUrl || io.env.CARILLON_BASE_URL;
  if (!address || !URL.canParse(address))
    throw new UsageError('Name the address of the service in the recording: --base-url https://api.example.com');
  const recorder = newRecorder(names);
  const observed = new ObservedFile(out, recorder.isKnown);
  recorder.keep(observed.account);
  const sum = { taken: 0, elsewhere: 0, unknown: 0, incomplete: 0 };
  for (const file of files) {
    const result = await readRecording(io.openFile(file), file, address, recorder);
    for (const name of ['taken', 'elsewhere', 'unknown', 'incomplete'] as const) sum[name] += result[name];
    if (result.taken === 0)
      throw new UsageError(
        `${file} has no reply of the service (${leftOut(result)}). Name the address of its requests with --base-url. Nothing was written.`,
      );
  }
  if (!(await observed.addAndWait(recorder.take())))
    throw new UsageError(
      `Another process is writing ${out}, so nothing was written. Try again in ten seconds, or write to another file with --out.`,
    );
  const rest = sum.elsewhere + sum.unknown + sum.incomplete;
  io.note(
    `${out}: ${plural(sum.taken, 'reply', 'replies')} learnt${rest > 0 ? `, ${rest} left out (${leftOut(sum)})` : ''}. Next: ${line} report ${out}\n`,
  );
}

function leftOut({
  elsewhere,
  unknown,
  incomplete,
}: {
  elsewhere: number;
  unknown: number;
  incomplete: number;
}): string {
  return [
    `${elsewhere} of other addresses`,
    `${unknown} of unknown paths`,
    `${incomplete} without a body or reply`,
  ].join(', ');
}

async function merge(files: readonly string[], { out }: Flags, io: LearnIo): Promise<void> {
  const merged = await readAll(files);
  await give(writeObserved(merged), out, io);
  io.note(`${plural(Object.keys(merged.accounts).length, 'account')}\n`);
}

async function findIn(files: readonly string[]): Promise<Findings> {
  return findAll(await readAll(files));
}

async function readAll(files: readonly string[]): Promise<Observed> {
  const { isKnown } = newRecorder();
  const all = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, 'utf8').catch((cause: unknown) => {
        throw new UsageError(`${file} cannot be read.`, { cause });
      });
      return readObserved(text, file, isKnown);
    }),
  );
  return mergeObserved(isKnown, ...all);
}

async function give(text: string, out: string | undefined, io: LearnIo): Promise<void> {
  if (out === undefined) return io.write(text);
  checkFile(out);
  await writeFile(out, text);
}

function newRecorder(names?: boolean): Recorder {
  return new Recorder(
    learntProducts.map(({ replies }) => replies),
    { names },
  );
}
