import type { Contact, Deal } from '../../../generated/crm/models.ts';
import type { EmailMessageListItem, UnsubscribedEmail } from '../../../generated/email/models.ts';
import type {
  BlacklistEntry,
  CampaignListItem,
  PushCampaignListItem,
  SenderName,
} from '../../../generated/messaging/models.ts';
import type { OperationId } from '../../../generated/types.ts';

/** Names of a record's documented fields. The account's own fields, which can have any name, are excluded. */
type FieldOf<T> = keyof { [Name in keyof T as string extends Name ? never : Name]: T[Name] };

const deal: FieldOf<Deal>[] = ['name', 'price', 'currency', 'status', 'stepId'];
const contact: FieldOf<Contact>[] = ['firstName', 'lastName', 'phones', 'emails'];
const message: FieldOf<EmailMessageListItem>[] = ['recipient', 'subject', 'send_date'];
const unsubscribed: FieldOf<UnsubscribedEmail>[] = ['email', 'date'];
const campaign: FieldOf<CampaignListItem>[] = ['name', 'status', 'send_date', 'sender_name'];
const sender: FieldOf<SenderName>[] = ['name', 'status', 'country'];
const blocked: FieldOf<BlacklistEntry>[] = ['phone', 'description', 'add_date'];
const pushCampaign: FieldOf<PushCampaignListItem>[] = ['title', 'status', 'website_id'];

/**
 * For each list operation, the fields that a table shows first, after `id`. If a list is not named here, its table begins with
 * the title fields.
 */
export const firstColumns: { readonly [Id in OperationId]?: readonly string[] } = {
  listDeals: deal,
  listContactDeals: deal,
  listContacts: contact,
  listContactsByEmail: contact,
  listDealContacts: contact,
  listEmailMessages: message,
  listEmailBounces: message,
  listUnsubscribedEmails: unsubscribed,
  listCampaigns: campaign,
  listSenderNames: sender,
  listBlacklistEntries: blocked,
  listPushCampaigns: pushCampaign,
};
