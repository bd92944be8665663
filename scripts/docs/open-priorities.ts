import type { OpenGroup } from './open-points.ts';

/** A gap that most programs meet. */
export interface Priority {
  /** Its anchor. */
  id: string;
  title: string;
  /** What the client assumes, or does, as long as the answer is not known. */
  assumes: string;
  /** What a program should do. */
  advice: string;
  /** The open points that it sums up: the id of their group on the page, and the beginning of their text. */
  points: readonly (readonly [group: string, text: string])[];
}

/** The gaps that matter most, in the order in which programs meet them. */
export const priorities: readonly Priority[] = [
  {
    id: 'credentials',
    title: 'How does a request without a valid credential fail?',
    assumes:
      'Status 401. If the client can obtain a new token (client credentials or `getToken`), it repeats the call once. Otherwise, or after a second 401, it throws an `AuthenticationError`.',
    advice:
      'Make one call that only reads when your program starts, so that a wrong key fails then and not in the middle of its work.',
    points: [
      ['crm-document', 'The reply to a request with a missing'],
      ['messaging-document', 'The reply to a request with a missing'],
      ['email-document', 'The reply to a request without a valid token'],
      ['createToken', 'No field of the body is marked as required'],
    ],
  },
  {
    id: 'errors',
    title: 'Which statuses and bodies do failures have?',
    assumes:
      'Every status outside 2xx is a failure, and so is `result: false`. The client looks for a code and a message under the usual names.',
    advice: 'Decide by the class, the status and `sent` of the error. Do not rely on the form of `body`.',
    points: [
      ['crm-document', 'The form of error bodies'],
      ['messaging-document', 'Statuses and bodies of errors'],
      ['email-document', 'Status codes and bodies of failures'],
    ],
  },
  {
    id: 'rate-limits',
    title: 'How many requests are allowed?',
    assumes:
      'A request that is answered with 429 was not processed. The client waits as `Retry-After` says, up to a minute, and retries it, twice by default.',
    advice: 'Send few requests at a time: `runInBatches` limits how many run at once. Handle `RateLimitError`.',
    points: [
      ['crm-document', 'Limits on the request rate'],
      ['messaging-document', 'General request-rate limits'],
      ['email-document', 'Request-rate limits'],
    ],
  },
  {
    id: 'page-order',
    title: 'Is the order of a list stable from page to page?',
    assumes:
      'Nothing. The next page starts after the items received so far. The client warns if items repeat, and ends the list if a page repeats.',
    advice:
      'Sort if the operation allows it, skip records whose ID you have already seen, and do not add or delete records while you read the list.',
    points: [
      ['crm-ContactFilter', 'The default page size and the default order'],
      ['listCampaigns', 'The default and the maximum of `limit`, and the order'],
      ['listBlacklistEntries', 'The default and the maximum of `limit`, and the order'],
      ['listPushCampaigns', 'The default of `limit` and the order'],
      ['listWebsites', 'The default of `limit` and the order'],
      ['listWebsiteSubscribers', 'The default of `limit` and the order'],
    ],
  },
  {
    id: 'page-size',
    title: 'How many items does a reply contain?',
    assumes:
      'Nothing. The client sends the `limit` that you set. If you set none, it sends the documented maximum, or no `limit` if none is documented.',
    advice:
      'Set `limit` if the operation has it. If you need every item, use `toArray({ max, complete: true })`: it fails if the list ends below the total that the service states.',
    points: [
      ['listContactsByEmail', 'The maximum number of contacts'],
      ['listSenderNames', 'Lists in general'],
      ['listCampaignRecipients', 'Lists in general'],
      ['listWebsiteVariables', 'Lists in general'],
      ['listTags', 'It is not documented what happens if both'],
      ['email-Limit', 'The maximum and the default'],
    ],
  },
  {
    id: 'deal-filter',
    title: 'How are deals filtered?',
    assumes:
      'An empty object matches all deals. Only if you set a limit, the client pages by `limit` and `offset`, as for contacts.',
    advice:
      'Filter the deals in your program, even if you send a filter: the service may ignore it. Test a filter on your own account first.',
    points: [
      ['crm-DealFilter', 'The fields of this filter'],
      ['listDeals', 'The filter of deals'],
    ],
  },
  {
    id: 'partial-updates',
    title: 'Does an update keep the fields that it leaves out?',
    assumes: 'Nothing. The client sends exactly the fields that you give.',
    advice: 'Read the record first, change it, and send all fields that you can write.',
    points: [
      ['updatePipeline', 'It is not documented whether an omitted field'],
      ['updatePipelineStep', 'It is not documented whether an omitted field'],
      ['updatePipelineAttribute', 'It is not documented whether an omitted field'],
      ['updatePipelineFailReason', 'It is not documented whether an omitted field'],
      ['updateContact', 'It is not documented whether an omitted name'],
      ['updateTag', 'It is not documented whether an omitted colour'],
      ['updateContactAttribute', 'It is not documented whether an omitted field'],
    ],
  },
  {
    id: 'time-zones',
    title: 'Which time zone do dates and times have?',
    assumes: 'Nothing. The client sends and returns dates as strings and converts none.',
    advice:
      'Store dates as you receive them. When you select by date, extend the range by one day at both ends and check the results.',
    points: [
      ['messaging-document', 'The time zone of dates and times'],
      ['crm-ContactFilter', 'The time zone of a day'],
      ['crm-AttributeValueText', 'A format is documented for type 6'],
      ['email-EmailMessageBase', 'The time zone is not documented'],
    ],
  },
  {
    id: 'records',
    title: 'Which fields do records have?',
    assumes: 'An `id`, and the fields that you can write, all optional. Types and validators allow any other field.',
    advice:
      'Check that a field exists before you use it. Declare further fields of your account once, in interfaces such as `DealFields`.',
    points: [
      ['crm-document', 'Of most records'],
      ['crm-Deal', 'The shape of a deal'],
      ['crm-Contact', 'The shape of a contact'],
      ['crm-Payment', 'The shape of a payment'],
      ['getManyEmailMessages', 'The form of this response'],
    ],
  },
  {
    id: 'campaign-statuses',
    title: 'Which statuses do campaigns and their recipients go through?',
    assumes: 'Any value can follow any other. If the set of values is not documented, the types accept any value.',
    advice: 'Treat an unknown value as not final, and check again later.',
    points: [
      ['messaging-CampaignListItem', 'The complete set of values'],
      ['messaging-CampaignRecipient', 'The seven statuses'],
      ['messaging-PushCampaignStatus', 'The transitions between the statuses'],
      ['messaging-ResendSmsStatus', 'The transitions between the statuses'],
    ],
  },
  {
    id: 'partial-success',
    title: 'Does one invalid entry reject the whole request?',
    assumes: 'Nothing. A call succeeds or fails as a whole, according to its reply.',
    advice: 'Read the records again after a failure. In small batches, it is easier to find the invalid entry.',
    points: [
      ['setContactAttributeValues', 'It is not documented whether one rejected value'],
      ['setContactAttributeValues', 'The maximum number of values'],
      ['addBlacklistEntries', 'The maximum number of phone numbers'],
    ],
  },
  {
    id: 'deletions',
    title: 'What happens to records that use a deleted step, attribute or fail reason?',
    assumes: 'Nothing. The sandbox makes a choice, and its reply names it.',
    advice: 'Move or change the records that use a step, an attribute or a fail reason before you delete it.',
    points: [
      ['deletePipelineStep', 'It is not documented what happens'],
      ['deletePipelineAttribute', 'It is not documented what happens'],
      ['deletePipelineFailReason', 'It is not documented whether'],
    ],
  },
  {
    id: 'attachments',
    title: 'How large can attachments be?',
    assumes: 'Nothing. The client sends attachments of any size.',
    advice: 'Keep attachments small, or send a link to the file instead.',
    points: [['sendEmailMessage', 'Size limits of attachments']],
  },
  {
    id: 'events',
    title: 'How does a program find out about changes?',
    assumes: 'There are no webhooks: none are documented.',
    advice: 'Poll at intervals, and store the IDs of the records that you have processed.',
    points: [
      ['crm-document', 'Events, webhooks and callbacks'],
      ['messaging-document', 'Events, webhooks and callbacks'],
      ['email-document', 'Events, webhooks and callbacks'],
    ],
  },
  {
    id: 'changes',
    title: 'How are changes of the API announced?',
    assumes:
      'Nothing. The client warns when you call an operation that is marked as deprecated, and accepts new fields in replies.',
    advice:
      'Replace deprecated calls now. With the option `validate`, the client reports replies that do not match the specs.',
    points: [
      ['crm-document', 'A deprecation and compatibility policy'],
      ['messaging-document', 'A versioning and deprecation policy'],
      ['email-document', 'A versioning and deprecation policy'],
      ['createLegacyContact', 'It is not documented when'],
    ],
  },
];

/** An entry whose points are no longer in the specs. */
export function findStale(groups: readonly OpenGroup[], entries: readonly Priority[] = priorities): string[] {
  return entries.flatMap(({ id, points }) =>
    points
      .filter(
        ([group, text]) =>
          !groups.some((one) => one.id === group && one.points.some((point) => point.text.startsWith(text))),
      )
      .map(([group, text]) => `${id}: ${group} has no open point “${text} …”`),
  );
}
