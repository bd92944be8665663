import { Option } from 'commander';
import { UsageError } from '../../shared/command-line.ts';
import { fieldsOf } from '../catalogue/fields.ts';
import type { Method } from '../catalogue/methods.ts';
import { whenAsked } from '../catalogue/needs-consent.ts';
import { type EachFlags, eachFlagNames, eachOptions, takesRows } from './each/flags.ts';
import { returnsCredential } from './flags.ts';
import { type Format, formats } from './output.ts';

/** Options that every method has, beside its own flags. */
export interface CallFlags extends EachFlags {
  input?: string;
  set?: string[];
  showSecret?: boolean;
  output?: Format;
  columns?: string;
  all?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  sandbox?: boolean;
  /** One or several profiles. */
  profile?: string | string[];
  watch?: boolean;
  every?: string;
  until?: string;
  history?: boolean;
  timeout?: string;
  unchecked?: boolean;
  raw?: boolean;
  bom?: boolean;
  json?: string;
  quiet?: boolean;
  debug?: boolean;
  debugBodies?: boolean;
}

/** Names of the options. A field of a method must not have one of these names. */
export const reserved = [
  'all',
  'bom',
  'columns',
  'debug',
  'debug-bodies',
  'dry-run',
  'every',
  'help',
  'input',
  'json',
  'no-history',
  'output',
  'profile',
  'quiet',
  'raw',
  'sandbox',
  'set',
  'show-secret',
  'timeout',
  'unchecked',
  'until',
  'watch',
  'yes',
  ...eachFlagNames,
];

/** The options that a method takes, beside its own flags. */
export function callOptions(method: Method): Option[] {
  const options = [
    new Option(
      '--output <format>',
      'format of the output (default: table on a terminal, else json); text is the values alone',
    ).choices(formats),
    new Option('--json <names>', 'only these fields, separated by commas, as json (or ndjson)'),
    new Option('--columns <names>', 'fields to show, separated by commas, in a table, as csv or as text'),
    new Option('--raw', 'write CSV cells that a spreadsheet would calculate as they are'),
    new Option('--bom', 'begin CSV with a byte order mark, by which spreadsheets recognize UTF-8'),
    new Option('--dry-run', 'show the request and send nothing'),
    sandboxOption(),
    profilesOption(method),
    quietOption(),
    debugOption(),
    debugBodiesOption(),
    new Option('--timeout <seconds>', 'time for each request with its retries (default: 60)'),
  ];
  const hasBody = method.body !== undefined;
  if (fieldsOf(method).length > 0)
    options.push(new Option('--unchecked', 'send values that do not fit the documented types and limits'));
  if (hasBody)
    options.unshift(new Option('--input <file>', 'fields as a JSON object from a file, or - for standard input'));
  if (method.ownFields || method.paging?.inferred) {
    const repeated = (text: string, before: string[] | undefined): string[] => [...(before ?? []), text];
    options.unshift(new Option('--set <name=value>', 'a field that the documents do not name').argParser(repeated));
  }
  if (returnsCredential(method))
    options.unshift(new Option('--show-secret', 'print the token of the reply: it gives access until it expires'));
  if (method.effect !== 'read') options.push(historyOption());
  if (canWatch(method)) options.push(...watchOptions(method));
  if (method.paging) options.unshift(new Option('--all', 'read all pages'));
  const isAsked = whenAsked(method) !== 'never';
  if (isAsked || (method.effect !== 'read' && takesRows(method)))
    options.unshift(new Option('--yes', `call it without a question${isAsked ? '' : ', also for many rows'}`));
  return [...options, ...eachOptions(method)];
}

/** Whether `--watch` can repeat a call. */
function canWatch(method: Method): boolean {
  return method.effect === 'read' && !returnsCredential(method);
}

function watchOptions({ final = {}, returns }: Method): Option[] {
  const [first] = Object.entries(final);
  const end = first ? `; it ends if ${first[0]} is ${first[1].join(', ')}` : '';
  const options = [
    new Option('--watch', `repeat it, and write the reply when it changes${end}`),
    new Option('--every <seconds>', 'time between two calls of --watch (default: 10)'),
  ];
  return returns === 'value'
    ? [...options, new Option('--until <name=value>', 'end --watch if the field has this value')]
    : options;
}

/** Option of each call that changes something. */
export function historyOption(): Option {
  return new Option('--no-history', 'leave the call out of carillon history');
}

/** Option of each call. Reads take several profiles. */
function profilesOption({ effect }: Method): Option {
  const { flags, description } = profileOption();
  const more = effect === 'read' ? '; repeat it to read several accounts side by side' : '';
  return new Option(flags, `${description}${more}`);
}

/** Option of each call, and of the command itself, which parses all of them. */
export function profileOption(): Option {
  return new Option(
    '--profile <name>',
    'use the credentials of this profile of carillon login (default: that of carillon profiles)',
  ).argParser((name: string, before: string[] | undefined) => [...(before ?? []), name]);
}

/**
 * Returns the one profile of a command that takes no others.
 *
 * @throws `UsageError` if there are several
 */
export function onlyProfile(profile: string | readonly string[] | undefined): string | undefined {
  const [only, other] = [profile ?? []].flat();
  if (other !== undefined) throw new UsageError('Only reads take several --profile. Nothing was sent.');
  return only;
}

/** Option of each call, and of the command itself. */
export function sandboxOption(): Option {
  return new Option(
    '--sandbox',
    'use an embedded sandbox with example data: no credentials, and nothing reaches the service',
  );
}

/** Option of each call, and of the command itself. */
export function quietOption(): Option {
  return new Option('-q, --quiet', 'write no notes and no progress to standard error, only questions and failures');
}

/** Option of each call, and of the command itself. */
export function debugOption(): Option {
  return new Option('--debug', 'write requests and replies to standard error, without credentials and bodies');
}

/** Option of each call. */
export function debugBodiesOption(): Option {
  return new Option('--debug-bodies', 'the same with bodies, which can contain personal data');
}
