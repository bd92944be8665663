import { Option } from 'commander';
import { repeated } from '../../../shared/command-line.ts';
import type { Method } from '../../catalogue/methods.ts';
import { returnsCredential } from '../flags.ts';

/** Options for `--each`. */
export interface EachFlags {
  each?: string;
  format?: 'csv' | 'ndjson';
  key?: string;
  skipColumns?: string;
  exported?: boolean;
  data?: string;
  rejected?: string;
  parallel?: string;
  decide?: string[];
  eachTemplate?: boolean;
}

/** Whether a method can be called for each row of a file. List methods and methods that return a credential cannot. */
export function takesRows(method: Method): boolean {
  const isList = method.effect === 'read' && (method.paging !== undefined || method.returns === 'list');
  return !isList && !returnsCredential(method);
}

/** Returns the options for `--each`, which have their own heading in help. */
export function eachOptions(method: Method): Option[] {
  if (!takesRows(method)) return [];
  const many = (flags: string, text: string): Option => new Option(flags, text).helpGroup('Many at once:');
  const options = [
    many('--each <file>', 'call the method once for each row of a CSV or NDJSON file, or of standard input (-)'),
    many('--each-template', 'write an empty CSV file with the columns of this method'),
    many('--format <name>', 'format of the rows (default: inferred from the file name)').choices(['csv', 'ndjson']),
    many(
      '--key <column>',
      'column that identifies a row across all runs (default: the column key, or the whole row if there is no such column)',
    ),
    many('--skip-columns <names>', 'comma-separated list of columns to skip because they are not parameters'),
    many('--exported', 'remove the apostrophes that --output csv added before formulas in the file'),
    many('--rejected <file>', 'file for rejected rows (default: <file>.rejected.csv)'),
    many('--parallel <count>', 'number of concurrent requests, 1 to 16 (default: 1)'),
  ];
  if (method.effect === 'read') return options;
  return [
    ...options,
    many('--data <folder>', 'folder for the job, which records the sent rows (default: <file>.jobs)'),
    many(
      '--decide <key=state>',
      "state of a row whose response was lost: 'done' or 'not-done'; can be repeated",
    ).argParser(repeated),
  ];
}
