import { isRecord } from '../../shared/is-record.ts';
import { type AccountNames, MissingReference } from './account-names.ts';
import { addressOf, idOf, listSeparator, RowProblem, textOf, textsOf } from './values.ts';

/** A messenger of a contact. */
export interface ContactMessenger {
  /** ID of the messenger's type. */
  typeId: number | string;
  /** Login of the contact in this messenger. */
  login: string;
}

/** The value of an attribute of a contact. */
export interface ContactAttributeValue {
  /** ID of the attribute. */
  attributeId: number;
  /** Its value, as text. */
  value: string;
}

/** What is sent for one contact. */
export interface ContactValues {
  /** First name. */
  firstName?: string;
  /** Last name. */
  lastName?: string;
  /** ID of the team member who is responsible. */
  responsibleId: number;
  /** The user's own value. Without it, the job stores its marker there. */
  externalContactId?: string;
  /** Phone numbers, as the file has them. */
  phones: string[];
  /** Email addresses. The first becomes the main one. */
  emails: string[];
  /** Messengers: type and login of each. */
  messengers: ContactMessenger[];
  /** IDs of tags. */
  tags: number[];
  /** Values of attributes. */
  attributes: ContactAttributeValue[];
  /** The row as it was read, if it has a problem. */
  row?: Record<string, unknown>;
  /** Cells as they were read whose values are sent as IDs: tags, attributes and the responsible person. */
  cells?: Record<string, unknown>;
}

/** Columns of a file of contacts. `attribute:` begins the name of a column for each attribute. */
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

/** Other names of columns. */
export const contactAliases = { phone: 'phones', email: 'emails', messenger: 'messengers', tag: 'tags' };

/**
 * Reads a contact from a row.
 *
 * @param responsibleId - for rows that name nobody
 * @throws `RowProblem` if the row cannot be sent
 * @throws `MissingReference` if it names a tag, an attribute or a person that the account does not have, or nobody
 */
export function parseContact(
  row: Record<string, unknown>,
  names: AccountNames,
  responsibleId: number | undefined,
): ContactValues {
  const firstName = textOf(row.firstName, 'firstName');
  const lastName = textOf(row.lastName, 'lastName');
  const externalContactId = textOf(row.externalContactId, 'externalContactId');
  const attributes = attributesOf(row, names);
  if (firstName === undefined && lastName === undefined) throw new RowProblem('it needs a firstName or a lastName');
  const responsible = idOf(row.responsibleId, 'responsibleId') ?? responsibleId;
  if (responsible === undefined)
    throw new MissingReference('nobody is responsible: fill responsibleId, or pass an ID for all rows');
  return {
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
    responsibleId: names.memberId(responsible),
    ...(externalContactId !== undefined && { externalContactId }),
    phones: distinct(textsOf(row.phones, 'phones').map(phoneOf), digitsOf),
    emails: distinct(textsOf(row.emails, 'emails').map(addressOf), (email) => email.toLowerCase()),
    messengers: distinct(messengersOf(row.messengers), messengerText),
    tags: distinct(
      textsOf(row.tags, 'tags').map((tag) => names.tagId(tag)),
      String,
    ),
    attributes,
    cells: Object.fromEntries(Object.entries(row).filter(([column]) => isNamed(column))),
  };
}

/** Whether a column has names of the account, or IDs. */
function isNamed(column: string): boolean {
  return ['responsibleId', 'tags', 'attributes'].includes(column) || column.startsWith('attribute:');
}

/** Writes a contact as a row that `parseContact` reads, with the columns and names of the file. */
export function formatContact(values: ContactValues): Record<string, unknown> {
  if (values.row) return values.row;
  const { phones, emails, messengers, tags, attributes, responsibleId, cells, row: _, ...fields } = values;
  return {
    ...fields,
    ...(phones.length > 0 && { phones: phones.join(listSeparator) }),
    ...(emails.length > 0 && { emails: emails.join(listSeparator) }),
    ...(messengers.length > 0 && { messengers: messengers.map(messengerText).join(listSeparator) }),
    // A job of an older version kept IDs only.
    ...(cells ?? {
      responsibleId,
      tags: tags.join(listSeparator),
      ...Object.fromEntries(attributes.map(({ attributeId, value }) => [`attribute:${attributeId}`, value])),
    }),
  };
}

/** Without those that a lookup could not tell apart. */
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

/** In a cell: `<type>:<login>`. In NDJSON also an object. */
function messengersOf(value: unknown): ContactValues['messengers'] {
  const entries = Array.isArray(value) ? value : textsOf(value, 'messengers');
  return entries.map((entry) => {
    const [typeId, login] = isRecord(entry)
      ? [textOf(entry.typeId, 'typeId'), textOf(entry.login, 'login')]
      : (/^(\w+):(.+)$/.exec(String(entry)) ?? []).slice(1);
    if (!typeId || !login) throw new RowProblem('a messenger must have the form <type ID>:<login>');
    return { typeId: /^\d+$/.test(typeId) ? Number(typeId) : typeId, login: login.trim() };
  });
}

/**
 * The columns of the file whose values a step sends. For attributes, which one request sets, several are possible.
 *
 * @param step - name of the step: `phone 2`
 */
export function columnsOf(step: string, { cells = {} }: Pick<ContactValues, 'cells'>): string[] {
  const [kind = ''] = step.split(' ');
  if (kind === 'attributes') {
    return Object.keys(cells).filter((column) => column.startsWith('attribute') && isFilled(cells[column]));
  }
  const column = { emails: 'emails', phone: 'phones', messenger: 'messengers', tag: 'tags' }[kind];
  return column === undefined ? [] : [column];
}

function isFilled(cell: unknown): boolean {
  return cell !== undefined && cell !== null && cell !== '';
}

function attributesOf(row: Record<string, unknown>, names: AccountNames): ContactValues['attributes'] {
  const columns = Object.entries(row).filter(([name]) => name.startsWith('attribute:'));
  const given = isRecord(row.attributes) ? Object.entries(row.attributes) : [];
  const taken = new Map<number, string>();
  return [...columns.map(([name, value]) => [name.slice('attribute:'.length), value] as const), ...given].flatMap(
    ([name, found]) => {
      const attributeId = names.attributeId(name);
      // A multi-select has a list: the wire has it as JSON text.
      const value = Array.isArray(found) ? JSON.stringify(found) : textOf(found, name);
      if (value === undefined) return [];
      const other = taken.get(attributeId);
      if (other !== undefined)
        throw new RowProblem(`"${other}" and "${name}" are the same attribute: fill one of them`);
      taken.set(attributeId, name);
      return [{ attributeId, value }];
    },
  );
}
