import { Option } from 'commander';
import { repeated, UsageError } from '../../shared/command-line.ts';
import { fieldsOf } from '../catalogue/fields.ts';
import type { Method } from '../catalogue/methods.ts';
import { whenAsked } from '../catalogue/needs-consent.ts';
import { type EachFlags, eachOptions, takesRows } from './each/flags.ts';
import { returnsCredential } from './flags.ts';
import { type Format, formats } from './output.ts';

/** Options that every method has in addition to its own flags. */
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

/** Returns the options that a method takes in addition to its own flags. */
export function callOptions(method: Method): Option[] {
  const options = [
    new Option(
      '--output <format>',
      'output format (default: table on a terminal, else json); text writes only the values',
    ).choices(formats),
    new Option('--json <names>', 'comma-separated list of fields to write as json (or ndjson)'),
    new Option('--columns <names>', 'comma-separated list of fields to show in a table, csv or text'),
    new Option('--raw', 'write CSV cells unchanged, even if a spreadsheet would treat them as formulas'),
    new Option('--dry-run', 'show the request and send nothing'),
    ...commonOptions(),
    new Option('--timeout <seconds>', 'maximum time for each request and its retries (default: 60)'),
  ];
  const hasBody = method.body !== undefined;
  if (fieldsOf(method).length > 0)
    options.push(new Option('--unchecked', 'send values even if they do not fit the documented types and limits'));
  if (hasBody)
    options.unshift(new Option('--input <file>', 'file with the fields as a JSON object, or - for standard input'));
  if (method.ownFields || method.paging?.inferred) {
    options.unshift(new Option('--set <name=value>', 'set an undocumented field').argParser(repeated));
  }
  if (returnsCredential(method))
    options.unshift(
      new Option('--show-secret', 'print the token from the response; the token gives access until it expires'),
    );
  if (method.paging) options.unshift(new Option('--all', 'read all pages'));
  const isAsked = whenAsked(method) !== 'never';
  if (isAsked || (method.effect !== 'read' && takesRows(method)))
    options.unshift(
      new Option('--yes', `call the method without asking for confirmation${isAsked ? '' : ', even for many rows'}`),
    );
  return [...options, ...eachOptions(method)];
}

/** Options that each call, `carillon api` and the command itself take. */
export function commonOptions(): Option[] {
  return [
    new Option(
      '--sandbox',
      'use an embedded sandbox with example data; it needs no credentials, and nothing reaches the service',
    ),
    profileOption(),
    new Option('-q, --quiet', 'write only questions and failures to standard error, not notes or progress'),
    new Option('--debug', 'write requests and responses to standard error, without credentials or bodies'),
    new Option('--debug-bodies', 'like --debug, but with bodies, which can contain personal data'),
  ];
}

export function profileOption(): Option {
  return new Option(
    '--profile <name>',
    'use the credentials that carillon login stored under this profile (default: default)',
  ).argParser((name: string, before: string | undefined) => {
    if (before !== undefined) throw new UsageError('--profile is given twice, but a call uses one account.');
    return name;
  });
}
