import { Option } from 'commander';
import { repeated } from '../../../shared/command-line.ts';
import type { Method } from '../../catalogue/methods.ts';
import { returnsCredential } from '../flags.ts';

/** Options of `--each`. */
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

/** Whether a method can be called for each row of a file. Lists, and methods that return a credential, cannot. */
export function takesRows(method: Method): boolean {
  const isList = method.effect === 'read' && (method.paging !== undefined || method.returns === 'list');
  return !isList && !returnsCredential(method);
}

/** Returns the options, under their own heading. */
export function eachOptions(method: Method): Option[] {
  if (!takesRows(method)) return [];
  const many = (flags: string, text: string): Option => new Option(flags, text).helpGroup('Many at once:');
  const options = [
    many('--each <file>', 'call it once for each row of a CSV or NDJSON file, or of - (standard input)'),
    many('--each-template', 'write an empty CSV file with the columns of this method'),
    many('--format <name>', 'format of the rows (default: by the name of the file)').choices(['csv', 'ndjson']),
    many(
      '--key <column>',
      'column that identifies a row over all runs (default: key; without it, the content of the row does)',
    ),
    many('--skip-columns <names>', 'columns that are no parameters, separated by commas'),
    many('--exported', '--output csv wrote the file: remove the apostrophe that it puts before formulas'),
    many('--rejected <file>', 'file for rows that were rejected (default: <file>.rejected.csv)'),
    many('--parallel <count>', 'requests at a time, 1 to 16 (default: 1)'),
  ];
  if (method.effect === 'read') return options;
  return [
    ...options,
    many('--data <folder>', 'folder of the job that records what was sent (default: <file>.jobs)'),
    many('--decide <key=state>', 'state of a row whose response was lost: done or not-done, can be repeated').argParser(
      repeated,
    ),
  ];
}
