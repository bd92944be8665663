import { isRecord } from '../../shared/is-record.ts';
import { type CampaignPart, formatPart } from './campaign-source.ts';
import { repairColumns } from './columns.ts';
import { type ContactValues, contactColumns, formatContact } from './contact-row.ts';
import { type EmailValues, formatRecipient } from './email-source.ts';
import type { FileValues } from './file-source.ts';

/**
 * Formats the values of a built-in job's row as a file row that the source of the job can read.
 *
 * @param values - values of a problem; `null` if they were removed
 */
export function formatValues(values: unknown): FileValues {
  if (isContact(values)) return formatContact(values);
  if (isPart(values)) return formatPart(values);
  if (isRecipient(values)) return formatRecipient(values);
  return isRecord(values) ? values : {};
}

/** Sorts the columns of a repair file: key and problem first, then the contact columns. */
export function sortColumns(columns: readonly string[]): string[] {
  const order: readonly string[] = [...contactColumns.slice(0, 2), ...repairColumns, ...contactColumns];
  const place = (column: string): number => (order.indexOf(column) + order.length + 1) % (order.length + 1);
  return columns.toSorted((one, other) => place(one) - place(other) || one.localeCompare(other, 'en'));
}

function isContact(values: unknown): values is ContactValues {
  return isRecord(values) && Array.isArray(values.phones) && Array.isArray(values.messengers);
}

function isPart(values: unknown): values is CampaignPart {
  return isRecord(values) && Array.isArray(values.recipients) && isRecord(values.variables);
}

function isRecipient(values: unknown): values is EmailValues {
  return isRecord(values) && typeof values.email === 'string' && isRecord(values.variables);
}
