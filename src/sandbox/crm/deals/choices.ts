/** Choices about deals, their notes, contacts and attribute values, by id. */
export const dealChoices = {
  'new-deal':
    'A new deal is active and becomes the first in the list. An omitted name or price stays absent. An omitted currency is that of the account.',
  'deal-order':
    'Deals without a display order come first, the most recently placed one on top. The others are sorted by display order.',
  'deal-order-emptied': 'Updating a deal without `order` removes its display order.',
  'deal-filter-ignored':
    'In the filter of deals, only `limit` and `offset` have an effect. Without a limit, the reply contains all deals.',
  'deal-filter-paging':
    'In the filter of deals, `limit` is an integer above 0 and `offset` an integer of 0 or more. Other values get status 422.',
  'deal-values-as-pairs': 'A deal in a reply contains its attribute values as pairs of `attributeId` and `value`.',
  'fail-pipeline': 'An update to status 2 uses the fail reasons of the pipeline in the update.',
  'fail-reason-disabled': 'Failing a deal with a disabled fail reason gets status 422.',
  'fail-comment-ignored': 'A failure comment sent with a status other than 2 is ignored.',
  'fail-reason-cleared':
    'Changing the status of a deal to another value than 2 removes its fail reason and failure comment.',
  'change-pipeline-incomplete': 'Moving a deal without `pipelineId` or `stepId` gets status 422.',
  'deal-deleted': 'Deleting a deal removes it from its contacts, but does not delete them. Its payments are also kept.',
  'contact-linked-twice':
    'Adding a contact to a deal that already has it changes nothing. The reply is the same as the first time.',
  'values-follow-pipeline':
    'A deal shows only values of attributes that its pipeline defines. Values of a deleted attribute disappear. Values of another pipeline reappear if the deal returns to it.',
  'value-replaced': 'Adding a value for an attribute that already has one in the deal replaces it.',
} as const;
