import { isRecord } from '../../shared/is-record.ts';
import type { Json } from '../types.ts';
import type { FileValues } from './file-source.ts';
import { listSeparator } from './values.ts';

/**
 * Formats an exported record, with its details as additional fields.
 *
 * @param results - results of the steps by name
 * @param step - name of the step whose result is the record
 * @param isFlat - whether to join lists of phones, emails, tags and messengers, and to write attributes as columns, as CSV requires
 */
export function formatRecord(results: Readonly<Record<string, Json>>, step: string, isFlat: boolean): FileValues {
  const { [step]: found, ...details } = results;
  const record: FileValues = { ...(isRecord(found) ? found : { [step]: found }), ...details };
  return isFlat ? flatten(record) : record;
}

function flatten(record: FileValues): FileValues {
  const { attributes, ...fields } = record;
  const row: FileValues = {};
  for (const [name, value] of Object.entries(fields)) row[name] = joinList(name, value);
  if (!Array.isArray(attributes)) return row;
  for (const attribute of attributes) {
    const { attributeId, value } = isRecord(attribute) ? attribute : {};
    if (attributeId === undefined) return { ...row, attributes };
    row[`attribute:${attributeId}`] = value;
  }
  return row;
}

/** Joins a list whose entries each contain one string, such as a phone. Returns other values unchanged. */
function joinList(field: string, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const strings = value.map((entry) => stringOf(field, entry));
  return strings.every((each) => each !== undefined && !each.includes(listSeparator))
    ? strings.join(listSeparator)
    : value;
}

function stringOf(field: string, entry: unknown): string | undefined {
  if (typeof entry === 'string' || typeof entry === 'number') return String(entry);
  if (!isRecord(entry)) return undefined;
  const { phone, email, typeId, login, name } = entry;
  if (typeof typeId === 'number' && typeof login === 'string') return `${typeId}:${login}`;
  // Only tags are reduced to their names. A deal or a comment would lose its other fields.
  return [phone, email, field === 'tags' ? name : undefined].find((each) => typeof each === 'string');
}
