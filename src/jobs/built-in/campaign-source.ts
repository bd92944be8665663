import { Messaging } from 'carillon';
import type { Source, SourceNotes, SourceRow } from '../types.ts';
import { peopleIn } from '../work/opt-out-list.ts';
import { type FileOptions, type FileValues, fileSource, findEarlier, problemsOfEarlier } from './file-source.ts';
import {
  formatVariables,
  listSeparator,
  RowProblem,
  stringOf,
  stringsOf,
  variableColumn,
  variablesOf,
} from './values.ts';

/** Content of a campaign, without its recipients and name. */
export type CampaignContent = Omit<Messaging.CampaignCreateCommon, 'task_name'>;

/** Options of {@link sendCampaign}. A row is always invalid if an earlier row has the same phone number and the same variables. */
export interface SendCampaignOptions extends FileOptions {
  /** Name of the campaign. It must be unique, because people find the campaign parts by this name. */
  title: string;
  /** Message for every recipient. With a template, the columns `variable:<name>` of the file set its variables. */
  message: CampaignContent;
}

/** A part of the campaign, sent in one request. */
export interface CampaignPart {
  /** Name of the part: the campaign title, followed by the number or key of the part. */
  task_name: string;
  /** Phone numbers as digits only. */
  recipients: string[];
  /** Message variables, which are the same for all recipients of the part. */
  variables: Record<string, string>;
  /** Original row, if it has a problem. */
  row?: Record<string, unknown>;
}

/** Phone numbers with the same variables, and the line of the first number. */
interface Numbers extends CampaignPart {
  line: number;
  /**
   * `rows`: number of file rows whose first phone number is in the part. `repeated`: number of these rows whose recipient is also in
   * an earlier row.
   */
  rows: number;
  repeated: number;
}

/**
 * Reads the phone numbers in a file and groups them into parts. Each part has as many numbers as one request allows.
 *
 * @param state - `isRepair`: whether the file is a repair file, whose rows are parts with the keys that they have in the job
 */
export function campaignSource(options: SendCampaignOptions, { isRepair = false } = {}): Source<CampaignPart> {
  const source = rowSource(options, isRepair);
  if (isRepair) return source;
  return { checksum: source.checksum, rows: (notes) => readParts(source.rows(notes), options) };
}

async function* readParts(
  fileRows: ReturnType<Source<CampaignPart>['rows']>,
  { title, message }: SendCampaignOptions,
): AsyncGenerator<SourceRow<CampaignPart>> {
  // A system message is sent to one phone number. Only system messages have variables per recipient.
  const size = message.message_type === Messaging.MessageType.System ? 1 : Messaging.CampaignsCreateMaxItems.recipients;
  let part: Numbers | undefined;
  let count = 0;
  const finish = (finished: Numbers): SourceRow<CampaignPart> => {
    count += 1;
    const { line, rows, repeated, ...values } = finished;
    return { key: `part-${count}`, line, rows, repeated, values: { ...values, task_name: `${title}, part ${count}` } };
  };
  for await (const row of fileRows) {
    if (row.problem !== undefined) {
      yield { ...row, key: `line-${row.line}` };
      continue;
    }
    for (const [index, phone] of row.values.recipients.entries()) {
      part ??= { ...row.values, recipients: [], line: row.line, rows: 0, repeated: 0 };
      part.recipients.push(phone);
      if (index === 0) {
        part.rows += 1;
        part.repeated += row.repeated ?? 0;
      }
      if (part.recipients.length < size) continue;
      yield finish(part);
      part = undefined;
    }
  }
  if (part) yield finish(part);
}

/** Reads each row of the file as a part. */
function rowSource(options: SendCampaignOptions, isRepair: boolean): Source<CampaignPart> {
  const { title, message } = options;
  return fileSource<CampaignPart>({
    ...options,
    isRepair,
    columns: ['key', 'phones', ...(message.message_type === Messaging.MessageType.System ? [variableColumn] : [])],
    keys: ['key'],
    // The rows of other files get the keys of their parts.
    keyOf: (row) => (isRepair ? stringOf(row.key, 'key') : ''),
    open: async () => (row, line) => {
      const recipients = [...new Set(stringsOf(row.phones, 'phones').map(digitsOf))];
      if (recipients.length === 0) throw new RowProblem('the row has no phone number');
      return {
        task_name: `${title}, ${stringOf(row.key, 'key') ?? `line ${line}`}`,
        recipients,
        variables: variablesOf(row),
      };
    },
    problemsOf: repeatedMessages,
    peopleOf: recipientsOfPart,
    unread: (row) => ({ task_name: '', recipients: [], variables: {}, row }),
  });
}

/**
 * Finds rows with a phone number to which an earlier row sends the same message. The other numbers in such rows may occur again.
 */
async function repeatedMessages(
  rows: readonly SourceRow<CampaignPart>[],
  notes: SourceNotes,
): Promise<Map<SourceRow<CampaignPart>, RowProblem>> {
  const messages = ({ values }: SourceRow<CampaignPart>): string[] =>
    values.recipients.map((phone) => `message ${phone} ${JSON.stringify(values.variables)}`);
  const earlier = await findEarlier(rows, messages, notes);
  return problemsOfEarlier(
    earlier,
    ({ name, line }) => `${name.split(' ')[1]} is also on line ${line}`,
    'a phone number of an earlier row',
  );
}

/** Returns the recipients of a part. */
export function recipientsOfPart({ recipients }: Pick<CampaignPart, 'recipients'>): string[] {
  return peopleIn('createCampaign', { recipients });
}

/** Separates the phone numbers of people who have opted out from the other numbers in a part. */
export function splitPart(
  part: CampaignPart,
  isOut: (person: string) => boolean,
): { kept: CampaignPart | null; leftOut: CampaignPart[] } {
  const isLeftOut = (phone: string): boolean => recipientsOfPart({ recipients: [phone] }).some(isOut);
  const recipients = part.recipients.filter((phone) => !isLeftOut(phone));
  return {
    kept: recipients.length > 0 ? { ...part, recipients } : null,
    leftOut: part.recipients.filter(isLeftOut).map((phone) => ({ ...part, recipients: [phone] })),
  };
}

/** Reduces a phone number to its digits, the form in which it is sent. */
function digitsOf(text: string): string {
  if (!/^\+?[\d\s()./-]+$/.test(text)) throw new RowProblem(`"${text}" is not a phone number`);
  return text.replace(/\D/g, '');
}

/** Formats a part as a row for `campaignSource`. */
export function formatPart({ recipients, variables, row }: CampaignPart): FileValues {
  return row ?? { phones: recipients.join(listSeparator), ...formatVariables(variables) };
}
