import type { CampaignContent } from './campaign-source.ts';
import type { EmailContent } from './email-source.ts';

/** Whether a value from a file can be the content of an email. The service checks the rest. */
export function isEmailContent(value: unknown): value is EmailContent {
  return isRecord(value) && typeof value.subject === 'string' && isRecord(value.from) && !('to' in value);
}

/** Whether a value from a file can be the content of a campaign. The service checks the rest. */
export function isCampaignContent(value: unknown): value is CampaignContent {
  if (!isRecord(value) || 'recipients' in value || 'address_book' in value) return false;
  const { message_type: type, sender_id: sender, message_live_time: time, send_date: date } = value;
  return [type, sender, time].every((number) => typeof number === 'number') && typeof date === 'string';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
