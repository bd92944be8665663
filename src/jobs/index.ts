/**
 * Bulk jobs that survive the failure of machines. Many machines share the work through Postgres, and no request is automatically
 * sent twice. Requires Node 22.13.
 *
 * @module carillon-jobs
 */
export { LookupUnclearError } from 'carillon/journal';
export { defineJob, foundBy } from './define-job.ts';
export { JobsError, RowRefusedError } from './jobs-error.ts';
export { openJobs } from './open-jobs.ts';
export type { CampaignContent, CampaignPart, SendCampaignOptions } from './ready/campaign-source.ts';
export type { ContactAttributeValue, ContactMessenger, ContactValues } from './ready/contact-row.ts';
export type { ImportContactsOptions } from './ready/contact-source.ts';
export type { EmailContent, EmailValues, SendEmailsOptions } from './ready/email-source.ts';
export {
  type ContactDetail,
  type DealDetail,
  type ExportedRecord,
  type ExportOptions,
  exportContacts,
  exportDeals,
} from './ready/exports.ts';
export { importContacts } from './ready/import-contacts.ts';
export { sendCampaign } from './ready/send-campaign.ts';
export { sendEmails } from './ready/send-emails.ts';
export type * from './types.ts';
