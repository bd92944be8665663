import type { Email } from 'carillon';
import { defineJob } from '../define-job.ts';
import { JobsError } from '../jobs-error.ts';
import type { Found, LookupContext } from '../types.ts';
import {
  type EmailContent,
  type EmailValues,
  emailSource,
  recipientsOf,
  type SendEmailsOptions,
} from './email-source.ts';

/**
 * Sends one email for each row in a file.
 *
 * A row whose response was lost is looked up in the list of messages. If the list contains exactly one matching email, the row is
 * done. Otherwise, the row is `unknown`, because the documents do not specify when an email appears in the list. An unknown row is
 * never sent again automatically.
 *
 * @example
 * ```ts
 * import { openJobs, sendEmails } from 'carillon-jobs';
 *
 * const jobs = await openJobs({
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
  recipients: {
    operation: 'sendEmailMessage',
    of: recipientsOf,
    isChecked: ({ skipUnsubscribed = true }) => skipUnsubscribed,
  },
  source(options) {
    const { html, template } = options.message;
    if (!html && !template) throw new JobsError("The message needs 'html' or 'template'.");
    return emailSource(options);
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
      find: findEmail,
    },
  ],
});

const minute = 60_000;

/**
 * Looks for exactly one message with the recipient, sender, subject and time of a row. The time zone of the list is not documented, so
 * any offset of whole quarter-hours matches.
 */
async function findEmail(
  { email, isShared }: EmailValues,
  { api, sentAt, isRepaired, signal, options: { message } }: LookupContext<SendEmailsOptions>,
): Promise<Found> {
  if (isShared) return { outcome: 'unknown', reason: 'other rows of the job have the same address' };
  if (isRepaired)
    return {
      outcome: 'unknown',
      reason: 'rows of the job were repaired, and one of them may have the same address as this row',
    };
  const from = new Date(sentAt.getTime() - 24 * 60 * minute).toISOString().slice(0, 10);
  const found: string[] = [];
  for await (const { id, sender, subject, send_date } of api.email.messages.list(
    { recipient: email, from },
    { signal },
  )) {
    const isSame = subject === message.subject && sender === message.from.email;
    if (isSame && isSentAt(send_date, sentAt)) found.push(id ?? '');
  }
  const [id] = found;
  if (id === undefined) return { outcome: 'unknown', reason: 'the list of messages does not contain the email' };
  if (found.length > 1)
    return { outcome: 'unknown', reason: `the list of messages contains ${found.length} matching emails` };
  return { outcome: 'done', result: id };
}

/** Whether a listed time can be the time of a mark, or at most 1.5 minutes later, in any time zone. */
function isSentAt(listed: string | undefined, sentAt: Date): boolean {
  const later = Date.parse(`${listed?.replace(' ', 'T')}Z`) - sentAt.getTime();
  const quarter = 15 * minute;
  // The list truncates times to seconds.
  const phase = (((later + 1_000) % quarter) + quarter) % quarter;
  return Math.abs(later) < 15 * 60 * minute && phase < 1.5 * minute;
}

/** Converts file contents to bytes, which the client encodes. The client rejects values of other types. */
function bytesOf(files: EmailContent['attachments_binary']): Email.MessagesSendParams['attachments_binary'] {
  if (!files) return files;
  const entries = Object.entries(files).map(([name, text]): [string, Uint8Array] => [
    name,
    typeof text === 'string' ? new TextEncoder().encode(text) : text,
  ]);
  return Object.fromEntries(entries);
}
