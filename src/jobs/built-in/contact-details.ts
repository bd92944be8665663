import type { Client } from 'carillon';
import { LookupUnclearError } from '../outcome.ts';
import { identityOf } from './values.ts';

/** Whether an entry in a contact matches. Returns `undefined` if the format of the entry is unknown. */
type Matches = (entry: unknown) => boolean | undefined;

/** Entries that a request whose response was lost may have added to a contact. */
export interface Detail {
  list: 'phones' | 'emails' | 'messengers' | 'tags';
  /** One matcher for each entry that the request adds. */
  matches: Matches[];
  /**
   * Number of entries added by earlier steps. If the contact has more entries but none matches, the service may have stored the new
   * entry with a different value.
   */
  before?: number;
}

/**
 * Checks whether a contact contains the entries of a request whose response was lost. The format of phones, emails, messengers and
 * tags in a contact is not documented: an entry may be a string or a record.
 *
 * @throws `LookupUnclearError` if the response is inconclusive
 */
export async function hasDetail(
  api: Client,
  contactId: number,
  { list, matches, before = Number.POSITIVE_INFINITY }: Detail,
  signal: AbortSignal,
): Promise<boolean> {
  const { [list]: entries } = await api.crm.contacts.get({ contactId }, { signal });
  if (entries) {
    const found = matches.filter((match) => entries.some((entry) => match(entry)));
    if (found.length === matches.length) return true;
    const isReadable = entries.every((entry) => matches.every((match) => match(entry) !== undefined));
    if (found.length === 0 && entries.length <= before && isReadable) return false;
  }
  throw new LookupUnclearError(`the service does not show whether contact ${contactId} has these ${list}`);
}

/** Compares only digits, because a service may store phones in another format. */
export function isPhone(phone: string): Matches {
  return (entry) => compare(textIn(entry, 'phone'), phone, (text) => text.replace(/\D/g, ''));
}

export function isEmail(email: string): Matches {
  return (entry) => compare(textIn(entry, 'email'), email, identityOf);
}

export function isMessenger({ typeId, login }: { typeId: number | string; login: string }): Matches {
  return (entry) => {
    const type = fieldOf(entry, 'typeId');
    const isSame = compare(fieldOf(entry, 'login'), login, (text) => text.trim());
    return type === undefined || isSame === undefined ? undefined : isSame && type === String(typeId);
  };
}

export function isTag(tagId: number): Matches {
  return (entry) => compare(textIn(entry, 'id'), String(tagId), (text) => text);
}

function compare(found: string | undefined, wanted: string, form: (text: string) => string): boolean | undefined {
  return found === undefined ? undefined : form(found) === form(wanted);
}

/** Returns the entry itself, or one of its fields, as a string. */
function textIn(entry: unknown, field: string): string | undefined {
  return typeof entry === 'string' || typeof entry === 'number' ? String(entry) : fieldOf(entry, field);
}

function fieldOf(entry: unknown, field: string): string | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const value: unknown = Reflect.get(entry, field);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
