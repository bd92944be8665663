import { messagingReference } from '../../../generated/messaging/reference.ts';
import { isRecord } from '../../shared/is-record.ts';
import { JobsError } from '../jobs-error.ts';
import type { CampaignContent } from './campaign-source.ts';
import type { EmailContent } from './email-source.ts';

type Kind = 'number' | 'string' | 'object';
type KindOf<Value> = Value extends number ? 'number' : Value extends string ? 'string' : 'object';
/** Required fields of a message type, with their kinds. The compiler compares these fields with the specs. */
type Needed<Message> = {
  [Name in keyof Message as Message extends Record<Name, unknown> ? Name : never]: KindOf<Message[Name]>;
};

const { fields, groups } = messagingReference.createCampaign.people;
const campaignFields = {
  message: 'string',
  message_type: 'number',
  sender_id: 'number',
  message_live_time: 'number',
  send_date: 'string',
} as const satisfies Needed<CampaignContent>;
const emailFields = { subject: 'string', from: 'object' } as const satisfies Needed<
  Pick<EmailContent, keyof EmailContent>
>;

/** @throws `JobsError` if a value from a file cannot be used as the content of an email. The service checks everything else */
export function assertEmailContent(value: unknown, file: string): asserts value is EmailContent {
  check(value, file, emailFields, ['to']);
}

/** @throws `JobsError` if a value from a file cannot be used as the content of a campaign. The service checks everything else */
export function assertCampaignContent(value: unknown, file: string): asserts value is CampaignContent {
  check(value, file, campaignFields, [...fields, ...groups.map(({ field }) => field)]);
}

function check(
  value: unknown,
  file: string,
  needed: Readonly<Record<string, Kind>>,
  recipients: readonly string[],
): void {
  if (!isRecord(value)) throw new JobsError(`${file}: the message must be a JSON object.`);
  const given = recipients.find((name) => name in value);
  if (given !== undefined)
    throw new JobsError(`${file}: remove ${given}: the recipients come from the file with the rows.`);
  for (const [name, kind] of Object.entries(needed)) {
    if (!(name in value)) throw new JobsError(`${file}: the message needs the field ${name}.`);
    const isKind = kind === 'object' ? isRecord(value[name]) : typeof value[name] === kind;
    if (!isKind) throw new JobsError(`${file}: ${name} must be ${kind === 'object' ? 'an' : 'a'} ${kind}.`);
  }
}
