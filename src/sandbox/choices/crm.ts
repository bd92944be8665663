import { contactChoices } from './contacts.ts';

/** Choices of this part of the sandbox, by id. */
export const crmChoices = {
  ...contactChoices,
  'unknown-reference': 'A record that a body names by its ID and that is not there is answered with 422.',
  'incomplete-entry': 'An entry of a list that lacks one of the fields it cannot do without is answered with 422.',
  'omitted-fields-kept': 'A field that an update leaves out keeps its stored value.',
  'facts-without-field-names':
    'What a reply is said to hold without the name of a field (the creator and the steps of a pipeline, the author and status of a note, the notes of a detailed deal, the title of an attribute value) is left out.',
  'search-request-empty': 'The search request in the reply of a list is an empty text.',
  'no-team': 'A sandbox that holds no team member at all accepts any `responsibleId`.',
  'listed-by-order':
    'Pipelines, steps, attributes and fail reasons are listed by their display order, then those without one by their age.',
  'listed-by-age':
    'Where the documents name no order, a list has its records, or the links to them, in the order in which they were made.',
  'step-with-deals': 'A step in which deals stand cannot be deleted; the answer is 422.',
  'step-description-dropped':
    'A step that is created on the free tariff takes null as its description, whatever is sent.',
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
  'default-fail-reason':
    "The default fail reason of a pipeline is its first enabled one in display order among the platform's, else among the custom ones.",
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
  'new-attribute': 'A new attribute is active, not mandatory and without a display order.',
  'attribute-change-keeps-values': 'A change of type or options of an attribute leaves stored values as they are.',
  'attribute-without-effect':
    'A mandatory attribute demands nothing of a deal or a contact, and an inactive or hidden one takes values too.',
  'numeric-text': 'A number as text is digits, with a sign and with decimals after a dot where needed.',
  'link-url': 'A link is an absolute URL of any scheme, as the URL standard reads it.',
  'new-pipeline-fail-reasons':
    'A new pipeline has one default fail reason, with the name that the documents give as an example, which is enabled.',
  'new-fail-reason': 'A new fail reason is enabled and has no display order.',
  'fail-reason-deleted': 'Every fail reason can be deleted, a default one too; deals that failed for it keep its ID.',
  'messenger-type-fields': 'A messenger type in a reply holds only `id`, which is what `typeId` of a messenger takes.',
  'payment-fields': 'A payment in a reply holds no field, since none is documented.',
  'token-request-incomplete': 'A token request that lacks one of its three fields is answered with 422.',
  'client-refused': 'Client credentials that the sandbox was not given are answered with 401.',
} as const;
