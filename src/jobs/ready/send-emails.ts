import type { Email } from 'carillon';
import { defineJob } from '../define-job.ts';
import { JobsError } from '../jobs-error.ts';
import { type EmailContent, type EmailValues, emailSource, type SendEmailsOptions } from './email-source.ts';

/**
 * Sends one email to each row of a file.
 *
 * No operation tells for certain whether an email was sent. A row whose reply was lost is therefore `unknown`, and never sent again
 * automatically.
 *
 * @example
 * ```ts
 * import { openJobs, sendEmails } from 'carillon-jobs';
 *
 * const jobs = await openJobs({
 *   database: 'postgres://127.0.0.1/crm',
 *   definitions: [sendEmails],
 *   client: { baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } },
 * });
 * const message = {
 *   subject: 'Your annual plan renewal',
 *   from: { name: 'Example Sales', email: 'sales@example.com' },
 *   template: { id: 700 },
 * };
 * await jobs.plan(sendEmails, { name: 'renewals', options: { file: 'customers.csv', message } });
 * await jobs.work({ until: 'renewals' });
 * for await (const { line, reason } of jobs.problems('renewals')) console.log(`line ${line}: ${reason}`);
 * await jobs.close();
 * ```
 */
export const sendEmails = defineJob<EmailValues, SendEmailsOptions>({
  name: 'send-emails',
  version: 1,
  source(options, { api }) {
    const { html, template } = options.message;
    if (!html && !template) throw new JobsError('The message needs html, or a template.');
    return emailSource(options, api);
  },
  steps: [
    {
      name: 'email',
      async send({ email, name, variables }, { api, options: { message }, signal }) {
        const to = [{ ...(name !== undefined && { name }), email }];
        const attachments_binary = bytesOf(message.attachments_binary);
        if (!message.template) {
          return (await api.email.messages.send({ ...message, to, attachments_binary }, { signal })).id;
        }
        const template = { ...message.template, variables: { ...message.template.variables, ...variables } };
        return (await api.email.messages.send({ ...message, to, attachments_binary, template }, { signal })).id;
      },
    },
  ],
});

/** Contents of files as bytes, which the client encodes. It refuses what is no text. */
function bytesOf(files: EmailContent['attachments_binary']): Email.MessagesSendParams['attachments_binary'] {
  if (!files) return files;
  const entries = Object.entries(files).map(([name, text]): [string, Uint8Array] => [
    name,
    typeof text === 'string' ? new TextEncoder().encode(text) : text,
  ]);
  return Object.fromEntries(entries);
}
