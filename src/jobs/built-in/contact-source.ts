import type { Client } from 'carillon';
import { JobsError } from '../jobs-error.ts';
import type { Source } from '../types.ts';
import { MissingReference, readAccountNames } from './account-names.ts';
import { type ContactValues, contactColumns, parseContact } from './contact-row.ts';
import { type FileOptions, type FileValues, fileSource } from './file-source.ts';
import { identityOf, RowProblem, stringOf } from './values.ts';

/** Options of {@link importContacts}. */
export interface ImportContactsOptions extends FileOptions {
  /** ID of the default responsible team member, from `api.crm.users.list()`, for rows without a `responsibleId`. */
  responsibleId?: number;
}

/**
 * Reads the contacts in a file.
 *
 * @param state - `isRepair`: whether the file is a repair file
 */
export function contactSource(
  options: ImportContactsOptions,
  api: Client,
  { isRepair = false } = {},
): Source<ContactValues> {
  const { file, responsibleId } = options;
  return fileSource<ContactValues>({
    ...options,
    isRepair,
    columns: contactColumns,
    keys: ['key', 'externalContactId'],
    keyOf,
    // The spec does not define contacts as recipients, but the same phone or email probably means the same person.
    peopleOf: ({ phones, emails }) => [...phones, ...emails].map(identityOf),
    async open() {
      const names = await readAccountNames(api);
      const check = <Result>(place: string, read: () => Result): Result => {
        try {
          return read();
        } catch (error) {
          if (error instanceof MissingReference)
            throw new JobsError(`${place}: ${error.message}. Nothing was planned.`);
          throw error;
        }
      };
      if (responsibleId !== undefined)
        check('The team member responsible for the contacts', () => names.memberId(responsibleId));
      return (row, line) => check(`${file}, line ${line}`, () => parseContact(row, names, responsibleId));
    },
    unread: (row) => ({ responsibleId: 0, phones: [], emails: [], messengers: [], tags: [], attributes: [], row }),
  });
}

/**
 * Returns the key or the external ID. A row with both is invalid, because a lookup could not distinguish two rows with different keys
 * and the same external ID.
 */
function keyOf(row: FileValues): string | undefined {
  const key = stringOf(row.key, 'key');
  const externalContactId = stringOf(row.externalContactId, 'externalContactId');
  if (key !== undefined && externalContactId !== undefined) {
    throw new RowProblem('fill in key or externalContactId, not both');
  }
  return key ?? externalContactId;
}
