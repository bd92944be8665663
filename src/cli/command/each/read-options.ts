import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { UsageError } from '../../../shared/command-line.ts';
import { formatOf } from '../../../shared/rows/read-rows.ts';
import type { Params } from '../../catalogue/check-names.ts';
import { checkValues } from '../../catalogue/check-values.ts';
import type { Method } from '../../catalogue/methods.ts';
import type { CallFlags } from '../call-options.ts';
import type { Io } from '../io.ts';
import { createListWriter, type ListWriter, readNames } from '../output.ts';
import type { Run } from './report.ts';
import type { RowOptions } from './rows.ts';

/** Returns the job folder, and the name that identifies the file if the folder contains jobs for several files. */
export function placeOf(
  { each = '', data }: CallFlags,
  temporary: string | undefined,
): { folder: string; file: string } {
  // A file of rejected rows belongs to the job for the whole file.
  const whole = each.replace(/(?:\.rejected\.(?:csv|ndjson))+$/, '');
  if (data === undefined) {
    if (each === '-' && temporary === undefined)
      throw new UsageError(
        'Rows from standard input need --data <folder>, which records the sent rows for later runs.',
      );
    return { folder: temporary ?? `${whole}.jobs`, file: '' };
  }
  if (statSync(data, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new UsageError(`${data} is not a folder. Choose a folder with --data. Nothing was sent.`);
  return { folder: data, file: each === '-' ? '' : relative(data, whole) };
}

/** Returns the paths of the files for rejected rows and for rows with an unknown outcome, beside the input file. */
export function readFiles({ format }: RowOptions, { each = '', rejected, data }: CallFlags): Run['files'] {
  const name = each === '-' ? (data ?? 'rows') : each;
  const files = {
    rejected: rejected ?? `${name}.rejected.${format}`,
    unknown: `${rejected ?? name}.unknown.${format}`,
  };
  for (const file of Object.values(files)) {
    // If a device such as /dev/null were renamed, no other program could use the device.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
      throw new UsageError(`${file} is not a file. Choose another path with --rejected. Nothing was sent.`);
  }
  return files;
}

/**
 * Creates the writer that writes results to standard output. If a method does not read, its results are written only on
 * request.
 */
export function readOutput(
  method: Method,
  { output, columns: chosen, json, raw = false }: CallFlags,
  io: Io,
): ListWriter | undefined {
  if (output === 'table' || output === 'json')
    throw new UsageError(`--each writes ndjson, csv or text, not ${output}.`);
  const fields = readNames('--json', json);
  const columns = readNames('--columns', chosen);
  if (fields && (columns || (output && output !== 'ndjson')))
    throw new UsageError('--json writes ndjson. Use --columns for csv or text.');
  if (columns && output === 'ndjson')
    throw new UsageError('--columns works only with csv and text. For ndjson, use --json.');
  const result = method.effect === 'read' ? 'response' : 'id';
  const names = ['line', 'key', result];
  const unknown = (fields ?? columns ?? []).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `There is no output field '${unknown}'. With --each, the output fields are line, key and ${result}.`,
    );
  const asked = columns ? 'csv' : fields || method.effect === 'read' ? 'ndjson' : undefined;
  const format = output ?? asked;
  const layout = { columns: columns ?? names, fields, isRaw: raw, isTerminal: io.isTerminal.output };
  return format && createListWriter({ format, ...layout });
}

/** Reads the options for the rows of a call. */
export function readRowOptions(method: Method, fixed: Params, flags: CallFlags, io: Io): RowOptions {
  const { each = '', format, key, skipColumns, exported = false } = flags;
  const isInput = each === '-';
  if (isInput && format === undefined)
    throw new UsageError('Rows from standard input need --format csv or --format ndjson.');
  const found = isInput ? undefined : statSync(each, { throwIfNoEntry: false });
  if (found?.isFIFO() || found?.isCharacterDevice() || found?.isSocket()) {
    throw new UsageError(
      `${each} is not a file. To read from a pipe, pass --each - and send the rows to standard input. Nothing was sent.`,
    );
  }
  const rowFormat = format ?? formatOf(each);
  if (exported && rowFormat !== 'csv')
    throw new UsageError('--exported works only with CSV files. NDJSON files have no apostrophes to remove.');
  return {
    method,
    source: isInput
      ? { name: 'standard input', open: () => io.openInput() }
      : { name: each, open: () => io.openFile(each) },
    format: rowFormat,
    fixed,
    keyColumn: key,
    skipped: skipColumns?.split(',').map((name) => name.trim()) ?? [],
    isExported: exported,
    findProblems: (params) =>
      flags.unchecked ? [] : checkValues(method, params).flatMap(({ inferred, text }) => (inferred ? [] : [text])),
  };
}
