/**
 * Bulk jobs that survive a crash, in a file on this machine or, for many machines, in Postgres. No request is sent twice automatically.
 * Requires Node 22.13.
 *
 * @module carillon-jobs
 */

export type { CampaignContent, CampaignPart, SendCampaignOptions } from './built-in/campaign-source.ts';
export type { ContactAttributeValue, ContactMessenger, ContactValues } from './built-in/contact-row.ts';
export type { ImportContactsOptions } from './built-in/contact-source.ts';
export type { EmailContent, EmailValues, SendEmailsOptions } from './built-in/email-source.ts';
export {
  type ContactDetail,
  type DealDetail,
  type ExportedRecord,
  type ExportOptions,
  exportContacts,
  exportDeals,
} from './built-in/exports.ts';
export type { FileOptions } from './built-in/file-source.ts';
export { importContacts } from './built-in/import-contacts.ts';
export { sendCampaign } from './built-in/send-campaign.ts';
export { sendEmails } from './built-in/send-emails.ts';
export { defineJob, foundBy } from './define-job.ts';
export { JobsError, RowRejectedError } from './jobs-error.ts';
export { openJobs } from './open-jobs.ts';
export { findMarked, LookupUnclearError, OutcomeUnknownError } from './outcome.ts';
export type * from './types.ts';
