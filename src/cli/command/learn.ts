import { existsSync, realpathSync, statSync } from 'node:fs';
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
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
import { FileError, fileError } from '../../shared/rows/file-error.ts';
import { removeLeftovers, temporaryName } from '../../shared/temporary-file.ts';
import { type Findings, findAll } from '../learn/findings.ts';
import { createOverlay } from '../learn/overlay.ts';
import { writeOwnFields } from '../learn/own-fields.ts';
import { learntProducts } from '../learn/products.ts';
import { noneTaken, type Reason, readRecording, reasons, type Taken } from '../learn/read-recording.ts';
import { plural, writeReport } from '../learn/report.ts';
import { exitCodes } from './exit-codes.ts';
import { type Io, outputClosed } from './io.ts';

const line = 'carillon learn';

/** Input and output that `carillon learn` needs. */
export type LearnIo = Pick<Io, 'env' | 'write' | 'note' | 'openFile' | 'signal'>;

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
    await give(writeReport(await findIn(files, out), { markdown, isWhole: all }), out, io);
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
    await give(writeOwnFields(await findIn(files, out)), out, io);
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
    if (io.signal.aborted) return interrupted(io);
    const isUsage = error instanceof UsageError || error instanceof ObservedFileError || error instanceof FileError;
    if (!isUsage) throw error;
    io.note(`${behindName(line, error.message)}\n`);
    return exitCodes.usage;
  }
}

function interrupted(io: LearnIo): number {
  // The reader of `carillon learn merge … | head` closed the pipe, which is not a failure.
  if (io.signal.reason === outputClosed) return exitCodes.done;
  io.note('Interrupted. No file was changed.\n');
  return exitCodes.interrupted;
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
  if (!product) {
    const names = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(learntProducts.map((one) => one.name));
    throw new UsageError(`Name the spec: ${line} overlay ${names}, then the files.`);
  }
  const findings = await findIn(files, out);
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
  const sum = noneTaken();
  for (const file of files) {
    const result = await readRecording(untilAborted(io.openFile(file), io.signal), file, address, recorder);
    sum.taken += result.taken;
    for (const reason of allReasons) sum[reason] += result[reason];
    const advice = adviceFor(result);
    if (result.taken === 0)
      throw new UsageError(
        `${file} has no reply of the service (${leftOut(result)}). ${advice || 'Record calls of the documented operations.'} Nothing was written.`,
      );
    if (advice !== '' && result.elsewhere === 0) io.note(`${file}: ${advice}\n`);
  }
  const isWritten = await observed.addAndWait(recorder.take()).catch((error: unknown) => {
    throw fileError(out, error);
  });
  if (!isWritten)
    throw new UsageError(
      `Another process is writing ${out}, so nothing was written. Try again in ten seconds, or write to another file with --out.`,
    );
  const rest = allReasons.reduce((count, reason) => count + sum[reason], 0);
  io.note(
    `${out}: ${plural(sum.taken, 'reply', 'replies')} learnt${rest > 0 ? `, ${rest} left out (${leftOut(sum)})` : ''}. Next: ${line} report ${out}\n`,
  );
}

async function* untilAborted(chunks: AsyncIterable<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    yield chunk;
  }
}

const allReasons = Object.keys(reasons) as Reason[];

/** Settings of programs that record, by their names in recordings. */
const recorders: readonly [name: RegExp, advice: string][] = [
  [/playwright/i, 'leave out content and mode in recordHar'],
  [/firefox/i, 'set devtools.netmonitor.responseBodyLimit to 0 in about:config, and record again'],
  [/mitm/i, 'set store_streamed_bodies, or leave out stream_large_bodies'],
  [/charles/i, 'raise the limits in its recording settings'],
  [/webkit|safari/i, 'keep the Network tab open while it loads, and export when everything has loaded'],
  [/webinspector|chrom/i, 'keep the Network panel open, and export with content before the page is left'],
];

/** Next step for the user of a recording with replies that say nothing, or without any. */
function adviceFor({ taken, elsewhere, unrecorded, cut, encoded, otherType, recordedBy = '' }: Taken): string {
  if (taken === 0 && elsewhere > 0) return 'Name the address of its requests with --base-url.';
  if (unrecorded + cut + encoded > 0) {
    const [, setting] = recorders.find(([name]) => name.test(recordedBy)) ?? [];
    // The name is a text of the recording.
    const who = /^[\w .()-]{1,40}$/.test(recordedBy) ? recordedBy : 'The recorder';
    return `${who} did not record all bodies whole: ${setting ?? 'record whole bodies, as decoded text'}.`;
  }
  return otherType > 0 ? 'A page in between, such as a login or an error of a proxy, may have answered.' : '';
}

function leftOut(counts: Taken): string {
  return allReasons
    .filter((reason) => counts[reason] > 0)
    .map((reason) => `${counts[reason]} ${reasons[reason]}`)
    .join(', ');
}

async function merge(files: readonly string[], { out }: Flags, io: LearnIo): Promise<void> {
  const merged = await readAll(files);
  await give(writeObserved(merged), out, io);
  io.note(`${plural(Object.keys(merged.accounts).length, 'account')}\n`);
}

/** Reads observations and compares them with the specs. Refuses an output that would replace them. */
async function findIn(files: readonly string[], out: string | undefined): Promise<Findings> {
  const observed = await readAll(files);
  if (out !== undefined && existsSync(out) && files.some((file) => realpathSync(file) === realpathSync(out)))
    throw new UsageError(`--out ${out} is a file of observations to read. Name another file.`);
  return findAll(observed);
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
  const present = checkFile(out);
  try {
    // A device cannot be replaced, and a link stays a link.
    if (present && !present.isFile()) return await writeFile(out, text);
    await replaceFile(present ? realpathSync(out) : out, text, present?.mode);
  } catch (error) {
    throw fileError(out, error);
  }
}

/** Writes a file as a whole, so that a failure leaves the one before. */
async function replaceFile(file: string, text: string, mode: number | undefined): Promise<void> {
  removeLeftovers(file);
  const unfinished = temporaryName(file);
  try {
    await writeFile(unfinished, text, { flag: 'wx', mode: mode ?? 0o666, flush: true });
    if (mode !== undefined) await chmod(unfinished, mode);
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

function newRecorder(names?: boolean): Recorder {
  return new Recorder(
    learntProducts.map(({ replies }) => replies),
    { names },
  );
}
