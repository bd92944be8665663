import { Messaging } from 'carillon';
import { checksumOf } from '../sources/checksum.ts';
import type { Source, SourceNotes, SourceRow } from '../types.ts';
import { fileSource, type Row } from './file-source.ts';
import { listSeparator, RowProblem, textOf, textsOf } from './values.ts';
import { formatVariables, variableColumn, variablesOf } from './variables.ts';

/** Content of a campaign, without its recipients and name. */
export type CampaignContent = Omit<Messaging.CampaignCreateCommon, 'task_name'>;

/** Options of {@link sendCampaign}. */
export interface SendCampaignOptions {
  /** Path of a CSV or NDJSON file with phone numbers. */
  file: string;
  /** Name of the campaign. Must be unique, because lookups find the parts by it. */
  title: string;
  /** Message for every recipient. With a template, the columns `variable:<name>` of the file set its variables. */
  message: CampaignContent;
}

/** A part of the campaign, sent in one request. */
export interface CampaignPart {
  /** Name of the part: title of the campaign, and number or key of the part. */
  task_name: string;
  /** Phone numbers, digits only. */
  recipients: string[];
  /** Variables of the message, the same for all recipients of the part. */
  variables: Record<string, string>;
  /** The original row, if it has a problem. */
  row?: Record<string, unknown>;
}

/** Phone numbers with the same variables, and the line of the first number. */
interface Numbers extends CampaignPart {
  line: number;
}

/** Source of the phone numbers of a file, in parts of the maximum size of a request. */
export function campaignSource(options: SendCampaignOptions): Source<CampaignPart> {
  return { checksum: () => checksumOf(options.file), rows: (notes) => readParts(options, notes) };
}

async function* readParts(options: SendCampaignOptions, notes: SourceNotes): AsyncGenerator<SourceRow<CampaignPart>> {
  const { title, message } = options;
  // A system message is sent to one phone number. Only system messages have variables per recipient.
  const size = message.message_type === Messaging.MessageType.System ? 1 : Messaging.CampaignsCreateMaxItems.recipients;
  let part: Numbers | undefined;
  let count = 0;
  const finish = (finished: Numbers): SourceRow<CampaignPart> => {
    count += 1;
    const { line, ...values } = finished;
    return { key: `part-${count}`, line, values: { ...values, task_name: `${title}, part ${count}` } };
  };
  for await (const row of rowsOf(options).rows(notes)) {
    if (row.problem !== undefined) {
      yield { ...row, key: `line-${row.line}` };
      continue;
    }
    for (const phone of row.values.recipients) {
      part ??= { ...row.values, recipients: [], line: row.line };
      part.recipients.push(phone);
      if (part.recipients.length < size) continue;
      yield finish(part);
      part = undefined;
    }
  }
  if (part) yield finish(part);
}

/** Source of the parts in a file of rows to repair. Each row is a part, with its key in the job. */
export function repairedParts(options: SendCampaignOptions): Source<CampaignPart> {
  return rowsOf(options, (row) => textOf(row.key, 'key'));
}

function rowsOf(
  { file, title, message }: SendCampaignOptions,
  keyOf?: (row: Row) => string | undefined,
): Source<CampaignPart> {
  return fileSource<CampaignPart>({
    // Only parts that are fed back have keys of their own.
    ...{ file, isRepair: keyOf !== undefined },
    columns: ['key', 'phones', ...(message.message_type === Messaging.MessageType.System ? [variableColumn] : [])],
    aliases: { phone: 'phones' },
    keys: ['key'],
    keyOf: keyOf ?? (() => ''),
    open: async () => (row, line) => {
      const recipients = [...new Set(textsOf(row.phones, 'phones').map(digitsOf))];
      if (recipients.length === 0) throw new RowProblem('it has no phone');
      return {
        task_name: `${title}, ${textOf(row.key, 'key') ?? `line ${line}`}`,
        recipients,
        variables: variablesOf(row),
      };
    },
    problemsOf: repeatedNumbers,
    unread: (row) => ({ task_name: '', recipients: [], variables: {}, row }),
  });
}

/** Refuses rows with a number that occurs in an earlier row. The other numbers of a refused row may occur again. */
async function repeatedNumbers(
  rows: readonly SourceRow<CampaignPart>[],
  notes: SourceNotes,
): Promise<Map<SourceRow<CampaignPart>, string>> {
  const lines = await notes.find(rows.flatMap(({ values }) => values.recipients));
  const added = new Map<string, number>();
  const problems = new Map<SourceRow<CampaignPart>, string>();
  for (const row of rows) {
    const { recipients } = row.values;
    const lineOf = (phone: string): number | undefined => lines.get(phone) ?? added.get(phone);
    const phone = recipients.find((one) => lineOf(one) !== undefined);
    if (phone !== undefined) problems.set(row, `${phone} is in line ${lineOf(phone)} too`);
    else for (const one of recipients) added.set(one, row.line);
  }
  await notes.add(added);
  return problems;
}

/** Reduces a phone number to its digits, the form in which it is sent. */
function digitsOf(text: string): string {
  if (!/^\+?[\d\s()./-]+$/.test(text)) throw new RowProblem(`"${text}" is not a phone number`);
  return text.replace(/\D/g, '');
}

/** Formats a part as a row for `repairedParts`. */
export function formatPart({ recipients, variables, row }: CampaignPart): Row {
  return row ?? { phones: recipients.join(listSeparator), ...formatVariables(variables) };
}
