import type { Email } from 'carillon';
import { readRows } from '../sources/read-rows.ts';
import type { Source, SourceNotes, SourceRow } from '../types.ts';
import { peopleIn } from '../work/opt-out-list.ts';
import { columnReader } from './columns.ts';
import { cellsOf, type FileOptions, type FileValues, fileSource, findEarlier, inBatches } from './file-source.ts';
import { addressOf, formatVariables, identityOf, stringOf, variableColumn, variablesOf } from './values.ts';

/** Content of an email, without its recipient. A job stores the content as JSON, so the contents of attachments are strings. */
export type EmailContent = Email.MessagesSendParams extends infer Params
  ? Params extends unknown
    ? Omit<Params, 'to' | 'attachments_binary'> & {
        /** Attachments: contents by file name. They are sent as UTF-8. */
        attachments_binary?: { readonly [name: string]: string } | undefined;
      }
    : never
  : never;

/** Options of {@link sendEmails}. */
export interface SendEmailsOptions extends FileOptions {
  /** Message for every recipient. With a template, the columns `variable:<name>` of the file set its variables. */
  message: EmailContent;
  /**
   * Whether to leave out addresses on the unsubscribe list. The list is read before the first row is sent.
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
  /** Set if other rows of the job have the same address. A lookup could then mistake the email of another row for the email of this row. */
  isShared?: true;
  /** Original row, if it has a problem. */
  row?: Record<string, unknown>;
}

/**
 * Reads the recipients in a file.
 *
 * @param state - `isRepair`: whether the file is a repair file
 */
export function emailSource(options: SendEmailsOptions, { isRepair = false } = {}): Source<EmailValues> {
  const columns = ['key', 'email', 'name', ...(options.message.template ? [variableColumn] : [])];
  return fileSource<EmailValues>({
    ...options,
    isRepair,
    columns,
    keys: ['key', 'email'],
    // Without a key, the address is the key. If another row also has the address, the key includes the line.
    keyOf: (row) => stringOf(row.key, 'key') ?? stringOf(row.email, 'email')?.normalize('NFC').toLowerCase(),
    async open(notes) {
      if (!options.onePerRecipient && !isRepair) await noteShared(options, columns, notes);
      return parseRecipient;
    },
    peopleOf: recipientsOf,
    finish: markShared,
    unread: (row) => ({ email: '', variables: {}, row }),
  });
}

/** Returns the recipients of a row's email. */
export function recipientsOf({ email }: EmailValues): string[] {
  return peopleIn('sendEmailMessage', { to: [{ email }] });
}

/**
 * Records the addresses that occur in several different rows, before the first row is planned. A lookup by such an address could
 * mistake the email of one row for the email of another.
 */
async function noteShared(
  { file, skipColumns }: FileOptions,
  columns: readonly string[],
  notes: SourceNotes,
): Promise<void> {
  const rename = columnReader(file, columns, { skipped: skipColumns });
  for await (const batch of inBatches(readRows(file))) {
    const rows = batch.map(({ line, values }) => {
      const row = rename(values);
      // The row itself reports a value of another type.
      return { line, cells: cellsOf(row), email: typeof row.email === 'string' ? row.email : '' };
    });
    const equal = await findEarlier(rows, ({ cells }) => [cells], notes);
    const others = rows.filter((row) => !equal.has(row));
    const shared = await findEarlier(others, ({ email }) => [`person ${identityOf(email)}`], notes);
    await notes.add(new Map([...shared.keys()].map(({ email, line }) => [`shared ${identityOf(email)}`, line])));
  }
}

/** Marks rows whose address also occurs in other rows. If the address is the key of such a row, the line is added to the key. */
async function markShared(
  rows: readonly SourceRow<EmailValues>[],
  notes: SourceNotes,
): Promise<Map<SourceRow<EmailValues>, Partial<SourceRow<EmailValues>>>> {
  const shared = await notes.find(rows.map(({ values }) => `shared ${identityOf(values.email)}`));
  return new Map(
    rows.flatMap((row) => {
      const address = identityOf(row.values.email);
      if (!shared.has(`shared ${address}`)) return [];
      const key = row.key === address ? `${row.key} (line ${row.line})` : row.key;
      return [[row, { key, values: { ...row.values, isShared: true as const } }]];
    }),
  );
}

function parseRecipient(row: FileValues): EmailValues {
  const email = addressOf(stringOf(row.email, 'email') ?? '');
  const name = stringOf(row.name, 'name');
  return { email, ...(name !== undefined && { name }), variables: variablesOf(row) };
}

/** Formats a recipient as a row for `emailSource`. */
export function formatRecipient({ email, name, variables, row }: EmailValues): FileValues {
  return row ?? { email, ...(name !== undefined && { name }), ...formatVariables(variables) };
}
