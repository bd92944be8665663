import type { Client } from 'carillon';
import { UsageError } from '../../shared/command-line.ts';
import { ProgressLine } from '../../shared/progress-line.ts';
import { callMethod, listMethod } from '../catalogue/call-method.ts';
import { checkParams, type Params } from '../catalogue/check-names.ts';
import type { Connection } from '../catalogue/connect.ts';
import { fieldsOf } from '../catalogue/fields.ts';
import { firstColumns } from '../catalogue/first-columns.ts';
import { type Method, methods } from '../catalogue/methods.ts';
import { noteFilters } from '../catalogue/note-filters.ts';
import type { Question } from '../catalogue/question.ts';
import { runCalls } from '../catalogue/run-calls.ts';
import { hideSecretFields } from '../catalogue/secret-fields.ts';
import { replaceInvisible } from '../text/invisible.ts';
import type { CallFlags } from './call-options.ts';
import { connectByFlags, quietly } from './connection.ts';
import { consent } from './consent.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { flagFields, placeholder, returnsCredential, takesNull } from './flags.ts';
import { type Io, noteOutput } from './io.ts';
import { kebab } from './names.ts';
import { type Format, type Layout, readNames } from './output.ts';
import { type GivenParams, readParams } from './params.ts';
import { createOutput, type Output } from './write-value.ts';

/** Calls a method, once or for each row of a file, and writes the result. Resolves to the exit code. */
export async function runMethod(method: Method, given: GivenParams, flags: CallFlags, io: Io): Promise<number> {
  if (flags.eachTemplate) {
    const { columnNames } = await import('./each/method-columns.ts');
    await io.write(`${['key', ...columnNames(method)].join(',')}\n`);
    return exitCodes.done;
  }
  const params = await readParams(method, given, quietly(io, flags));
  if (flags.each !== undefined) return (await import('./each/run-each.ts')).runEach(method, params, flags, io);
  await call(method, params, flags, io);
  return exitCodes.done;
}

async function call(method: Method, params: Params, flags: CallFlags, io: Io): Promise<void> {
  if (flags.all && !method.paging) throw new UsageError(`${method.name} returns no pages. Remove --all.`);
  const layout = readLayout(method, flags, io);
  // A dry run has no connection.
  await runCalls<Connection | undefined, void>(method, [params], {
    ...(flags.unchecked && { unchecked: 'values' }),
    signal: io.signal,
    endInvalid(problems) {
      const isMisnamed = checkParams(method, params).length > 0;
      const advice = isMisnamed ? missingFlags(method, params) : ['Add --unchecked to send the values anyway.'];
      throw new UsageError([...problems, ...advice].join('\n'));
    },
    async connect(calls) {
      for (const text of calls.flatMap(({ notes }) => notes)) io.note(`${text}\n`);
      return flags.dryRun ? undefined : connectByFlags(flags, io);
    },
    async consent(connection, reason, readQuestion) {
      if (!connection) return;
      const read = (why: string): Promise<Question> => readQuestion(connection.client, why);
      await consent(method, connection, flags.yes ? undefined : reason, read, flags, io);
    },
    async send(connection) {
      if (!connection) {
        const { describeRequest } = await import('./dry-run.ts');
        await io.write(await describeRequest(method, params, io));
        io.note('Dry run: nothing was sent.\n');
        return;
      }
      const { client } = connection;
      const output = createOutput(layout, io);
      const notes = quietly(io, flags);
      if (method.paging) return writeList(client, method, params, flags.all === true, layout, notes, output);
      const response = await callMethod(client, method.name, params, { signal: io.signal });
      await writeResult(method, params, response, layout, flags.showSecret === true, notes, output);
    },
  });
}

/** Returns the flags of missing parameters, on one line. */
function missingFlags(method: Method, params: Params): string[] {
  const missing = flagFields(method).filter(({ name, required }) => required && params[name] === undefined);
  const flags = missing.map(
    ({ name, schema }) => `--${kebab(name)} ${placeholder(method, schema)}${takesNull(schema) ? '|null' : ''}`,
  );
  return flags.length > 0 ? [`Add ${flags.join(' ')}`] : [];
}

function readLayout(method: Method, flags: CallFlags, io: Io): Layout {
  const { output, columns, json, raw = false } = flags;
  const fields = readNames('--json', json);
  if (fields && (output === 'table' || output === 'csv' || output === 'text'))
    throw new UsageError(`--json writes json or ndjson. Use --columns for ${output}.`);
  const format: Format = output ?? (io.isTerminal.output && !fields ? 'table' : 'json');
  if (columns !== undefined && (format === 'json' || format === 'ndjson')) {
    throw new UsageError(`--columns needs --output table, csv or text. For ${format}, use --json ${columns}.`);
  }
  return {
    format,
    columns: readNames('--columns', columns),
    first: new Map(Object.entries(firstColumns)).get(method.id) ?? method.title,
    fields,
    width: io.columns,
    isRaw: raw,
    isTerminal: io.isTerminal.output,
    documented: format === 'csv' ? documentedNames(method) : undefined,
  };
}

/** Returns `id` and the names of the fields that the resource's methods take. Other fields are the account's own. */
function documentedNames({ words }: Method): ReadonlySet<string> {
  const group = words.slice(0, -1).join('.');
  const beside = methods.filter((method) => method.words.slice(0, -1).join('.') === group);
  const names = beside.flatMap((method) => [...fieldsOf(method).map(({ name }) => name), ...(method.title ?? [])]);
  return new Set(['id', ...names]);
}

/**
 * Throws an error for misspelt fields, which would be empty in every record. After a call that changes something, only writes a
 * note.
 */
function checkNames(method: Method, items: readonly unknown[], { columns, fields }: Layout, io: Io): void {
  const known = new Set(items.flatMap((item) => (typeof item === 'object' && item !== null ? Object.keys(item) : [])));
  const missing = (columns ?? fields ?? []).filter((name) => !known.has(name));
  if (known.size === 0 || missing.length === 0) return;
  const flag = columns ? '--columns' : '--json';
  const text = `${flag}: no record has ${missing.join(', ')}. The fields are ${[...known].join(', ')}.`;
  if (method.effect === 'read') throw new UsageError(text);
  io.note(`${text}\n`);
}

async function writeResult(
  method: Method,
  params: Params,
  response: unknown,
  layout: Layout,
  showSecret: boolean,
  io: Io,
  output: Output,
): Promise<void> {
  // Terminals and logs keep the output, so it contains a credential only on request.
  const isHidden = returnsCredential(method) && !showSecret;
  const result = isHidden ? hideSecretFields(response) : response;
  if (isHidden) io.note('The token is hidden. Add --show-secret to print it.\n');
  if (result === undefined) {
    io.note('Done. The service returned no data.\n');
    return;
  }
  checkNames(method, Array.isArray(result) ? result : [result], layout, io);
  noteLines(noteFilters(method, params, result), io);
  if (!Array.isArray(result)) return output.value(result);
  await output.items(result);
  await output.end();
}

/** Writes a list page by page. Requests a page only after writing the previous page, so memory does not grow with the list. */
async function writeList(
  client: Client,
  method: Method,
  params: Params,
  isAll: boolean,
  layout: Layout,
  io: Io,
  output: Output,
): Promise<void> {
  const { paging } = method;
  // Inferred paging needs an explicit page size.
  const size = isAll && paging?.inferred && params[paging.limit] === undefined ? { [paging.limit]: 100 } : {};
  const progress = new ProgressLine(noteOutput(io));
  // If the output is also on the terminal, the progress line would appear between the records.
  const showsProgress = io.isTerminal.error && !io.isTerminal.output;
  const given = params[paging?.offset ?? ''];
  const start = typeof given === 'number' ? given : 0;
  let count = 0;
  let filters: string[] = [];
  let reached: { offset: number; total: number | undefined } | undefined;
  try {
    for await (const page of listMethod(client, method.name, { ...params, ...size }, { signal: io.signal }).pages()) {
      if (count === 0) checkNames(method, page.data, layout, io);
      await output.items(page.data);
      // Every page can contradict a parameter, but one note is enough.
      if (filters.length === 0) {
        filters = noteFilters(method, params, page.data);
        noteLines(filters, io);
      }
      count += page.data.length;
      reached = { offset: start + count, total: page.total };
      if (!isAll) {
        noteRest(page, count, io);
        break;
      }
      if (showsProgress) progress.show(countText(reached.offset, reached.total), performance.now());
    }
  } catch (error) {
    if (reached && !io.signal.aborted)
      io.note(`${count} items were written. Continue with --offset ${reached.offset}.\n`);
    throw error;
  } finally {
    progress.end();
  }
  await output.end();
  if (isAll) io.note(`${count.toLocaleString('en-GB')} items.\n`);
  const dropped = [...output.dropped()];
  if (dropped.length > 0 && layout.columns === undefined) {
    io.note(`Fields without a column: ${dropped.join(', ')}. Use --columns, or --output ndjson.\n`);
  }
  if (isAll && reached?.total !== undefined && reached.offset < reached.total) {
    const text = `The list ended at ${reached.offset} of ${reached.total} items.`;
    throw new CommandError(exitCodes.incomplete, text);
  }
}

function noteLines(lines: readonly string[], io: Io): void {
  for (const line of lines) io.note(`${replaceInvisible(line)}\n`);
}

function noteRest(page: { total?: number; nextOffset?: number }, count: number, io: Io): void {
  if (page.nextOffset === undefined) return;
  io.note(
    `${countText(count, page.total)} items. Use --all for all items, or --offset ${page.nextOffset} for the next page.\n`,
  );
}

/** Formats a number of items, such as `200 of 1,204`. */
function countText(count: number, total: number | undefined): string {
  const of = total === undefined ? '' : ` of ${total.toLocaleString('en-GB')}`;
  return `${count.toLocaleString('en-GB')}${of}`;
}
