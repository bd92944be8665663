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
      'Status 401. The client obtains a new token, repeats the call once, and then throws an `AuthenticationError`.',
    advice:
      'Make one cheap call when your program starts, so that a wrong key fails there and not in the middle of its work.',
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
      'Every status outside 2xx is a failure, and so is `result: false`. The client looks for a code and a message in the usual places.',
    advice: 'Decide by the class and the status of the error. Do not rely on the form of `body`.',
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
      'A request that is answered with 429 was not processed. The client waits as `Retry-After` says and repeats it, twice by default.',
    advice: 'Keep few requests in flight: send bulk work with `runInBatches`. Be ready for a `RateLimitError`.',
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
      'Nothing. The next page starts after the items received so far, and the client warns if a page repeats the one before it.',
    advice:
      'Sort where the operation offers it, recognize records by their ID, and do not add or delete any while you read the list.',
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
    assumes: 'Nothing. The client sends no `limit` that you did not set and the documents do not state.',
    advice:
      'Set `limit`. If you need every item, use `toArray({ max, complete: true })`, which fails if items are missing.',
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
      'An empty object sets no condition. The client pages by `limit` and `offset`, as for contacts, only if you set a limit.',
    advice: 'List the deals and filter them in your program, or try a filter on your own account first.',
    points: [
      ['crm-DealFilter', 'The fields of this filter'],
      ['listDeals', 'The filter of deals'],
    ],
  },
  {
    id: 'partial-updates',
    title: 'Does an update keep the fields that it leaves out?',
    assumes: 'Nothing. The client sends exactly the fields that you give.',
    advice: 'Read the record first, change what you want, and send all writable fields back.',
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
    assumes: 'Nothing. The client passes dates on as text, in both directions, and converts none.',
    advice:
      'Store them as they come. When you select by date, ask for one day more at both ends and check the results.',
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
      'Check a field before you use it. Declare the fields that your account returns once: the interfaces with names such as `DealFields` are there for it.',
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
    assumes:
      'Any value can follow any other, and values can be added. The types give the known ones as examples where they are not certain.',
    advice: 'Treat a value that you do not know as not final, and ask again later.',
    points: [
      ['messaging-CampaignListItem', 'The complete set of values'],
      ['messaging-CampaignRecipient', 'The seven statuses'],
      ['messaging-PushCampaignStatus', 'The transitions between the statuses'],
      ['messaging-ResendSmsStatus', 'The transitions between the statuses'],
    ],
  },
  {
    id: 'partial-success',
    title: 'Does one bad entry reject the whole request?',
    assumes: 'Nothing. A call succeeds or fails as a whole, as its reply says.',
    advice: 'Read the records again after a failure. In small batches, it is easier to see which entry is bad.',
    points: [
      ['setContactAttributeValues', 'It is not documented whether one rejected value'],
      ['setContactAttributeValues', 'The maximum number of values'],
      ['addBlacklistEntries', 'The maximum number of phone numbers'],
    ],
  },
  {
    id: 'deletions',
    title: 'What happens to records that use something deleted?',
    assumes: 'Nothing. The sandbox makes a choice, and says so in its reply.',
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
    advice: 'Keep attachments small, or put a link to the file in the text.',
    points: [['sendEmailMessage', 'Size limits of attachments']],
  },
  {
    id: 'events',
    title: 'How does a program learn about changes?',
    assumes: 'There are no webhooks: none are documented.',
    advice: 'Ask at intervals. Remember what you have seen, by ID.',
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
      'Nothing. The client warns when you call an operation that is marked as deprecated, and accepts fields that are new.',
    advice: 'Replace deprecated calls now. With `validate`, the client reports replies that differ from the specs.',
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
