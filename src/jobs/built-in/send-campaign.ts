import { defineJob } from '../define-job.ts';
import {
  type CampaignPart,
  campaignSource,
  recipientsOfPart,
  type SendCampaignOptions,
  splitPart,
} from './campaign-source.ts';

/**
 * Sends a messaging-app campaign to all phone numbers in a file. Each part of the campaign has as many numbers as one request allows. A
 * number that occurs twice in the file receives one message.
 *
 * No operation can determine with certainty whether a campaign was created. Therefore, a part whose response was lost is `unknown`, and
 * is never sent again automatically. To check such a part, look for its name in `api.messaging.campaigns.list()`.
 *
 * @example
 * ```ts
 * import { Messaging } from 'carillon';
 * import { openJobs, sendCampaign } from 'carillon-jobs';
 *
 * const jobs = await openJobs({
 *   definitions: [sendCampaign],
 *   client: { baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } },
 * });
 * const message = {
 *   message_type: Messaging.MessageType.Promo,
 *   sender_id: 5,
 *   message_live_time: 3_600, // seconds
 *   send_date: 'now',
 *   message: 'Your annual plan renews this month.',
 * };
 * const options = { file: 'phones.csv', title: 'Autumn renewals', message };
 * await jobs.plan(sendCampaign, { name: 'autumn', options });
 * await jobs.work({ until: 'autumn' });
 * for await (const { line, reason } of jobs.problems('autumn')) console.log(`line ${line}: ${reason}`);
 * await jobs.close();
 * ```
 */
export const sendCampaign = defineJob<CampaignPart, SendCampaignOptions>({
  name: 'send-campaign',
  version: 1,
  recipients: { operation: 'createCampaign', of: recipientsOfPart, split: splitPart },
  source: (options) => campaignSource(options),
  steps: [
    {
      name: 'campaign',
      async send({ task_name, recipients, variables }, { api, options: { message }, signal }) {
        const own = Object.keys(variables).length > 0 && { variables: { ...message.variables, ...variables } };
        const { task_id } = await api.messaging.campaigns.create(
          { ...message, ...own, task_name, recipients },
          { signal },
        );
        return task_id;
      },
    },
  ],
});
