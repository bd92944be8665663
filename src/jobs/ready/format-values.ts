import type { CampaignPart } from './campaign-source.ts';
import { formatPart } from './campaign-source.ts';
import { type ContactValues, formatContact } from './contact-row.ts';
import { type EmailValues, formatRecipient } from './email-source.ts';
import type { Row } from './file-source.ts';

/**
 * Writes the values of a row of a ready-made job as a row that its source reads.
 *
 * @param values - values of a problem; `null` if they were removed
 */
export function formatValues(values: unknown): Row {
  if (isContact(values)) return formatContact(values);
  if (isPart(values)) return formatPart(values);
  if (isRecipient(values)) return formatRecipient(values);
  return isRecord(values) ? values : {};
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
