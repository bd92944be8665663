import { messagingReference } from '../../../generated/messaging/reference.ts';
import { isRecord } from '../../shared/is-record.ts';
import type { CampaignContent } from './campaign-source.ts';
import type { EmailContent } from './email-source.ts';

type Kind = 'number' | 'text' | 'object';
type KindOf<Value> = Value extends number ? 'number' : Value extends string ? 'text' : 'object';
/** The required fields of a message type, with their kinds. The compiler compares them with the specs. */
type Needed<Message> = {
  [Name in keyof Message as Message extends Record<Name, unknown> ? Name : never]: KindOf<Message[Name]>;
};

const { fields, groups } = messagingReference.createCampaign.people;
const campaignFields = {
  message: 'text',
  message_type: 'number',
  sender_id: 'number',
  message_live_time: 'number',
  send_date: 'text',
} as const satisfies Needed<CampaignContent>;
const emailFields = { subject: 'text', from: 'object' } as const satisfies Needed<
  Pick<EmailContent, keyof EmailContent>
>;

/** Whether a value from a file can be the content of an email. The service checks the rest. */
export function isEmailContent(value: unknown): value is EmailContent {
  return emailProblem(value) === undefined;
}

/** Whether a value from a file can be the content of a campaign. The service checks the rest. */
export function isCampaignContent(value: unknown): value is CampaignContent {
  return campaignProblem(value) === undefined;
}

/** Describes what is wrong with the content of an email. */
export function emailProblem(value: unknown): string | undefined {
  return problemOf(value, emailFields, ['to']);
}

/** Describes what is wrong with the content of a campaign. */
export function campaignProblem(value: unknown): string | undefined {
  return problemOf(value, campaignFields, [...fields, ...groups.map(({ field }) => field)]);
}

function problemOf(
  value: unknown,
  needed: Readonly<Record<string, Kind>>,
  recipients: readonly string[],
): string | undefined {
  if (!isRecord(value)) return 'the message must be a JSON object';
  const given = recipients.find((name) => name in value);
  if (given !== undefined) return `remove ${given}: the recipients come from the file with the rows`;
  for (const [name, kind] of Object.entries(needed)) {
    if (!(name in value)) return `the message needs ${name}`;
    if (kindOf(value[name]) !== kind) return `${name} must be ${kind === 'object' ? 'an' : 'a'} ${kind}`;
  }
  return undefined;
}

function kindOf(value: unknown): Kind | undefined {
  if (typeof value === 'string') return 'text';
  if (isRecord(value)) return 'object';
  return typeof value === 'number' ? 'number' : undefined;
}
