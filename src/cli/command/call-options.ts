import { Option } from 'commander';
import { repeated, UsageError } from '../../shared/command-line.ts';
import { fieldsOf } from '../catalogue/fields.ts';
import type { Method } from '../catalogue/methods.ts';
import { whenAsked } from '../catalogue/needs-consent.ts';
import { type EachFlags, eachOptions, takesRows } from './each/flags.ts';
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
  profile?: string;
  timeout?: string;
  unchecked?: boolean;
  raw?: boolean;
  json?: string;
  quiet?: boolean;
  debug?: boolean;
  debugBodies?: boolean;
}

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
    new Option('--dry-run', 'show the request and send nothing'),
    ...commonOptions(),
    new Option('--timeout <seconds>', 'time for each request with its retries (default: 60)'),
  ];
  const hasBody = method.body !== undefined;
  if (fieldsOf(method).length > 0)
    options.push(new Option('--unchecked', 'send values that do not fit the documented types and limits'));
  if (hasBody)
    options.unshift(new Option('--input <file>', 'fields as a JSON object from a file, or - for standard input'));
  if (method.ownFields || method.paging?.inferred) {
    options.unshift(new Option('--set <name=value>', 'a field that the documents do not name').argParser(repeated));
  }
  if (returnsCredential(method))
    options.unshift(new Option('--show-secret', 'print the token of the response: it gives access until it expires'));
  if (method.paging) options.unshift(new Option('--all', 'read all pages'));
  const isAsked = whenAsked(method) !== 'never';
  if (isAsked || (method.effect !== 'read' && takesRows(method)))
    options.unshift(new Option('--yes', `call it without a question${isAsked ? '' : ', also for many rows'}`));
  return [...options, ...eachOptions(method)];
}

/** Options of each call, of `carillon api`, and of the command itself. */
export function commonOptions(): Option[] {
  return [
    new Option(
      '--sandbox',
      'use an embedded sandbox with example data: no credentials, and nothing reaches the service',
    ),
    profileOption(),
    new Option('-q, --quiet', 'write no notes and no progress to standard error, only questions and failures'),
    new Option('--debug', 'write requests and responses to standard error, without credentials and bodies'),
    new Option('--debug-bodies', 'the same with bodies, which can contain personal data'),
  ];
}

export function profileOption(): Option {
  return new Option(
    '--profile <name>',
    'use the credentials of this profile of carillon login (default: default)',
  ).argParser((name: string, before: string | undefined) => {
    if (before !== undefined) throw new UsageError('--profile is given twice. A call has one account.');
    return name;
  });
}
