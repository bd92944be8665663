import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { behindName, createCommand, parseCommand, UsageError } from '../../shared/command-line.ts';
import {
  mergeObserved,
  type Observed,
  ObservedFileError,
  readObserved,
  writeObserved,
} from '../../shared/observed/observed.ts';
import { ObservedFile } from '../../shared/observed/observed-file.ts';
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
  baseUrl?: string;
  out?: string;
  names?: boolean;
  markdown?: boolean;
  all?: boolean;
  accept?: string[];
}

const examples = `
Commands:
  merge <file...>            merge observations of accounts
  report <file...>           what the observations settle
  overlay <spec> <file...>   an OpenAPI Overlay of crm, messaging or email
  types <file...>            declarations of your account's own fields

Examples:
  ${line} traffic.har --base-url https://api.example.com
  ${line} report observed.json --markdown > report.md
  ${line} overlay crm observed.json --accept all --out crm.overlay.json`;

function program() {
  return createCommand(line, 'Learns from recorded replies what is not documented. No value is written.')
    .argument('<words...>', 'recordings to learn from (.har or .ndjson), or one of the commands below')
    .option('--base-url <url>', 'address of the service in the recording (default: CARILLON_BASE_URL)')
    .option('--out <file>', 'file to write (default: observed.json for a recording, else the output)')
    .option('--names', 'write names in maps, too, such as those of your own variables: they may be personal data')
    .option('--markdown', 'write the report as Markdown')
    .option('--all', 'report also the points that were not seen')
    .option(
      '--accept <pointer>',
      'close a settled point of the spec, or all of them; can be repeated',
      (text: string, before: string[] = []) => [...before, text],
    )
    .addHelpText('after', examples);
}

/**
 * Runs `carillon learn`.
 *
 * @returns the exit code
 */
export async function runLearn(args: readonly string[], io: LearnIo): Promise<number> {
  try {
    let help = '';
    const given = parseCommand<Flags>(program(), args.length === 0 ? ['--help'] : args, (text) => {
      help += `${text}\n`;
    });
    if (!given) await io.write(help);
    else await run(given.args, given.options, io);
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof ObservedFileError)) throw error;
    io.note(`${behindName(line, error.message)}\n`);
    return exitCodes.usage;
  }
}

async function run([first = '', ...rest]: readonly string[], flags: Flags, io: LearnIo): Promise<void> {
  if (first === 'merge') return merge(rest, flags, io);
  if (first === 'report') {
    const findings = await findIn(rest);
    return give(writeReport(findings, { markdown: flags.markdown, isWhole: flags.all }), flags, io);
  }
  if (first === 'types') return give(writeOwnFields(await findIn(rest)), flags, io);
  if (first === 'overlay') {
    const [name, ...files] = rest;
    const product = learntProducts.find((one) => one.name === name);
    if (!product) throw new UsageError(`Name the spec: ${line} overlay crm, messaging or email, then the files.`);
    const findings = await findIn(files);
    const unknown = flags.accept?.find((one) => one !== 'all' && !product.points.some(({ at }) => at === one));
    if (unknown !== undefined)
      throw new UsageError(
        `--accept: ${product.name}.yaml has no open point at that pointer. ${line} overlay ${product.name} shows the targets; a pointer looks like ${product.points[0]?.at}.`,
      );
    return give(`${JSON.stringify(createOverlay(findings, product.name, flags), undefined, 2)}\n`, flags, io);
  }
  return learn([first, ...rest], flags, io);
}

async function learn(
  files: readonly string[],
  { baseUrl = '', out = 'observed.json', names }: Flags,
  io: LearnIo,
): Promise<void> {
  const address = baseUrl || io.env.CARILLON_BASE_URL;
  if (!address || !URL.canParse(address))
    throw new UsageError('Name the address of the service in the recording: --base-url https://api.example.com');
  const recorder = newRecorder(names);
  const observed = new ObservedFile(out, recorder.isKnown);
  recorder.keep(observed.account);
  const sum = { taken: 0, elsewhere: 0, unknown: 0, incomplete: 0 };
  for (const file of files) {
    if (!existsSync(file)) throw new UsageError(`${file} does not exist.`);
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
    `${out}: ${sum.taken} replies learnt${rest > 0 ? `, ${rest} left out (${leftOut(sum)})` : ''}. Next: ${line} report ${out}\n`,
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

async function merge(files: readonly string[], flags: Flags, io: LearnIo): Promise<void> {
  const merged = await readAll(files);
  await give(writeObserved(merged), flags, io);
  io.note(`${plural(Object.keys(merged.accounts).length, 'account')}\n`);
}

async function findIn(files: readonly string[]): Promise<Findings> {
  return findAll(await readAll(files));
}

async function readAll(files: readonly string[]): Promise<Observed> {
  if (files.length === 0)
    throw new UsageError(`Name a file of observations, such as observed.json. ${line} --help shows the usage.`);
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

async function give(text: string, { out }: Flags, io: LearnIo): Promise<void> {
  if (out === undefined) await io.write(text);
  else await writeFile(out, text);
}

function newRecorder(names?: boolean): Recorder {
  return new Recorder(
    learntProducts.map(({ replies }) => replies),
    { names },
  );
}
