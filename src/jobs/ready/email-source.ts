import { type Client, type Email, isCarillonError } from 'carillon';
import { JobsError } from '../jobs-error.ts';
import type { Source, SourceNotes, SourceRow } from '../types.ts';
import { fileSource, type Row } from './file-source.ts';
import { addressOf, textOf } from './values.ts';
import { formatVariables, variableColumn, variablesOf } from './variables.ts';

/** Content of an email, without its recipient. A job stores it as JSON, so the contents of files are text. */
export type EmailContent = Email.MessagesSendParams extends infer Params
  ? Params extends unknown
    ? Omit<Params, 'to' | 'attachments_binary'> & {
        /** Attachments as a map of file name to text, which is sent in UTF-8. */
        attachments_binary?: { readonly [name: string]: string } | undefined;
      }
    : never
  : never;

/** Options of {@link sendEmails}. */
export interface SendEmailsOptions {
  /** Path of a CSV or NDJSON file. */
  file: string;
  /** Message for every recipient. With a template, the columns `variable:<name>` of the file set its variables. */
  message: EmailContent;
  /**
   * Whether to refuse addresses on the unsubscribe list. The list is read when the job is planned.
   * @default true
   */
  skipUnsubscribed?: boolean;
}

/** One email. */
export interface EmailValues {
  /** Address of the recipient. */
  email: string;
  /** Name of the recipient. */
  name?: string;
  /** Variables of the template. */
  variables: Record<string, string>;
  /** The original row, if it has a problem. */
  row?: Record<string, unknown>;
}

/**
 * Source of the recipients in a file.
 *
 * @param options - `isRepair`: whether the file was written to repair rows
 */
export function emailSource(
  { file, message, skipUnsubscribed = true }: SendEmailsOptions,
  api: Client,
  { isRepair = false } = {},
): Source<EmailValues> {
  return fileSource<EmailValues>({
    ...{ file, isRepair },
    columns: ['key', 'email', 'name', ...(message.template ? [variableColumn] : [])],
    keys: ['key', 'email'],
    // Without a key, rows with the same address are the same row.
    keyOf: (row) => textOf(row.key, 'key') ?? textOf(row.email, 'email')?.toLowerCase(),
    async open(notes) {
      if (skipUnsubscribed) await noteUnsubscribed(api, notes);
      return parseRecipient;
    },
    problemsOf: unsubscribedRows,
    unread: (row) => ({ email: '', variables: {}, row }),
  });
}

/** Adds the addresses of the unsubscribe list to the notes, page by page. */
async function noteUnsubscribed(api: Client, notes: SourceNotes): Promise<void> {
  try {
    // Fail instead of logging a warning, because people on an incomplete list would get an email.
    for await (const page of api.email.unsubscribes.list().pages({ complete: true }))
      await notes.add(new Map(page.data.map(({ email }) => [email.toLowerCase(), 1])));
  } catch (error) {
    if (!isCarillonError(error, 'IncompleteListError')) throw error;
    const problem = `The unsubscribe list may not be complete (${error.message}).`;
    throw new JobsError(`${problem} Nothing was planned. Plan the job again.`);
  }
}

async function unsubscribedRows(
  rows: readonly SourceRow<EmailValues>[],
  notes: SourceNotes,
): Promise<Map<SourceRow<EmailValues>, string>> {
  const noted = await notes.find(rows.map(({ values }) => values.email.toLowerCase()));
  return new Map(
    rows
      .filter(({ values }) => noted.has(values.email.toLowerCase()))
      .map((row) => [row, `${row.values.email} is on the unsubscribe list`]),
  );
}

function parseRecipient(row: Row): EmailValues {
  const email = addressOf(textOf(row.email, 'email') ?? '');
  const name = textOf(row.name, 'name');
  return { email, ...(name !== undefined && { name }), variables: variablesOf(row) };
}

/** Formats a recipient as a row for the source. */
export function formatRecipient({ email, name, variables, row }: EmailValues): Row {
  return row ?? { email, ...(name !== undefined && { name }), ...formatVariables(variables) };
}
