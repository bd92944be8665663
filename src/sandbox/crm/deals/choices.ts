/** Choices about deals, their notes, contacts and attribute values, by id. */
export const dealChoices = {
  'new-deal':
    'A new deal is active and goes to the top of the list; an omitted name or price is left out, an omitted currency is that of the account.',
  'deal-order':
    'Deals without a display order are listed first, the last one put there on top; the others follow by their order.',
  'deal-order-emptied': 'An update of a deal without `order` takes its display order away.',
  'deal-filter-ignored':
    'Of the filter of deals, only `limit` and `offset` have an effect; the reply holds all deals where no limit is given.',
  'deal-filter-paging':
    '`limit` of the filter of deals is an integer above 0, `offset` one from 0; others are answered with 422.',
  'deal-values-as-pairs': 'A deal in a reply holds its attribute values as pairs of `attributeId` and `value`.',
  'fail-pipeline': 'The pipeline whose fail reasons count for an update to status 2 is the one that the update names.',
  'fail-reason-disabled': 'A deal cannot fail for a fail reason that is disabled; the answer is 422.',
  'fail-comment-ignored': 'A comment on the failure that comes with another status than 2 is ignored.',
  'fail-reason-cleared': 'A deal that takes another status than 2 loses its fail reason and the comment on it.',
  'change-pipeline-incomplete': 'Moving a deal without `pipelineId` or `stepId` is answered with 422.',
  'deal-deleted': 'A deal that is deleted leaves its contacts, which stay; its payments stay too.',
  'contact-linked-twice':
    'Adding a contact to a deal that has it already changes nothing and is answered like the first time.',
  'values-follow-pipeline':
    'Only values of attributes that are defined in the pipeline of a deal are shown: those of a deleted attribute are gone, those of another pipeline come back with it.',
  'value-replaced': 'Adding a value for an attribute of which the deal has one already replaces it.',
} as const;
