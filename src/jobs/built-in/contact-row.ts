import { isRecord } from '../../shared/is-record.ts';
import { type AccountNames, MissingReference } from './account-names.ts';
import { addressOf, idOf, listSeparator, RowProblem, stringOf, stringsOf } from './values.ts';

/** A messenger of a contact. */
export interface ContactMessenger {
  /** ID of the messenger type. */
  typeId: number | string;
  /** Login of the contact on this messenger. */
  login: string;
}

/** An attribute value of a contact. */
export interface ContactAttributeValue {
  /** ID of the attribute. */
  attributeId: number;
  /** Value as a string. */
  value: string;
}

/** Values to send for one contact. */
export interface ContactValues {
  /** First name. */
  firstName?: string;
  /** Last name. */
  lastName?: string;
  /** ID of the responsible team member. */
  responsibleId: number;
  /** External ID from the file. If it is absent, the job stores the marker of the row in the contact's `externalContactId`. */
  externalContactId?: string;
  /** Phone numbers, as in the file. */
  phones: string[];
  /** Email addresses. The first becomes the main address. */
  emails: string[];
  /** Messengers, with type and login. */
  messengers: ContactMessenger[];
  /** IDs of tags. */
  tags: number[];
  /** Values of attributes. */
  attributes: ContactAttributeValue[];
  /** Original row, if it has a problem. */
  row?: Record<string, unknown>;
  /** Original cells in the columns whose values are sent as IDs: tags, attributes and the responsible person. */
  cells?: Record<string, unknown>;
}

/** Columns in a contact file. `attribute:` is the prefix of attribute columns. */
export const contactColumns = [
  'key',
  'externalContactId',
  'firstName',
  'lastName',
  'responsibleId',
  'phones',
  'emails',
  'messengers',
  'tags',
  'attributes',
  'attribute:',
] as const;

/**
 * Reads a contact from a row.
 *
 * @param responsibleId - default for rows without a responsible person
 * @throws `RowProblem` if the row cannot be sent
 * @throws `MissingReference` if a tag, an attribute or a person does not exist in the account, or if the responsible person is missing
 */
export function parseContact(
  row: Record<string, unknown>,
  names: AccountNames,
  responsibleId: number | undefined,
): ContactValues {
  const firstName = stringOf(row.firstName, 'firstName');
  const lastName = stringOf(row.lastName, 'lastName');
  const externalContactId = stringOf(row.externalContactId, 'externalContactId');
  const attributes = attributesOf(row, names);
  if (firstName === undefined && lastName === undefined)
    throw new RowProblem('the row needs a firstName or a lastName');
  const responsible = idOf(row.responsibleId, 'responsibleId') ?? responsibleId;
  if (responsible === undefined)
    throw new MissingReference('the responsible person is missing. Fill in responsibleId, or pass an ID for all rows');
  return {
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
    responsibleId: names.memberId(responsible),
    ...(externalContactId !== undefined && { externalContactId }),
    phones: distinct(stringsOf(row.phones, 'phones').map(phoneOf), digitsOf),
    emails: distinct(stringsOf(row.emails, 'emails').map(addressOf), (email) => email.toLowerCase()),
    messengers: distinct(messengersOf(row.messengers), messengerText),
    tags: distinct(
      stringsOf(row.tags, 'tags').map((tag) => names.tagId(tag)),
      String,
    ),
    attributes,
    cells: Object.fromEntries(Object.entries(row).filter(([column]) => isNamed(column))),
  };
}

/** Whether a column contains names or IDs of account records. */
function isNamed(column: string): boolean {
  return ['responsibleId', 'tags', 'attributes'].includes(column) || column.startsWith('attribute:');
}

/** Formats a contact as a row for `parseContact`, with the columns and names from the file. */
export function formatContact(values: ContactValues): Record<string, unknown> {
  if (values.row) return values.row;
  const {
    phones,
    emails,
    messengers,
    tags: _tags,
    attributes: _attributes,
    responsibleId: _,
    cells,
    ...fields
  } = values;
  return {
    ...fields,
    ...(phones.length > 0 && { phones: phones.join(listSeparator) }),
    ...(emails.length > 0 && { emails: emails.join(listSeparator) }),
    ...(messengers.length > 0 && { messengers: messengers.map(messengerText).join(listSeparator) }),
    ...cells,
  };
}

/** Removes duplicates, because a lookup could not distinguish them. */
function distinct<Item>(items: Item[], identity: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [identity(item), item])).values()];
}

function phoneOf(text: string): string {
  if (!/^\+?[\d\s()./-]*\d[\d\s()./-]*$/.test(text)) throw new RowProblem(`"${text}" is not a phone number`);
  return text;
}

function digitsOf(phone: string): string {
  return phone.replace(/\D/g, '');
}

function messengerText({ typeId, login }: ContactValues['messengers'][number]): string {
  return `${typeId}:${login}`;
}

/** Parses messengers: `<type>:<login>` in a cell, or an object in NDJSON. */
function messengersOf(value: unknown): ContactValues['messengers'] {
  const entries = Array.isArray(value) ? value : stringsOf(value, 'messengers');
  return entries.map((entry) => {
    const [typeId, login] = isRecord(entry)
      ? [stringOf(entry.typeId, 'typeId'), stringOf(entry.login, 'login')]
      : (/^(\w+):(.+)$/.exec(String(entry)) ?? []).slice(1);
    if (!typeId || !login) throw new RowProblem('a messenger must have the form <type ID>:<login>');
    return { typeId: /^\d+$/.test(typeId) ? Number(typeId) : typeId, login: login.trim() };
  });
}

function attributesOf(row: Record<string, unknown>, names: AccountNames): ContactValues['attributes'] {
  const columns = Object.entries(row).filter(([name]) => name.startsWith('attribute:'));
  const given = isRecord(row.attributes) ? Object.entries(row.attributes) : [];
  const taken = new Map<number, string>();
  return [...columns.map(([name, value]) => [name.slice('attribute:'.length), value] as const), ...given].flatMap(
    ([name, found]) => {
      const attributeId = names.attributeId(name);
      // The values of a multi-select attribute are sent as a JSON string.
      const value = Array.isArray(found) ? JSON.stringify(found) : stringOf(found, name);
      if (value === undefined) return [];
      const other = taken.get(attributeId);
      if (other !== undefined)
        throw new RowProblem(`"${other}" and "${name}" are the same attribute: fill in only one of them`);
      taken.set(attributeId, name);
      return [{ attributeId, value }];
    },
  );
}
