import { contactChoices } from './contacts/choices.ts';
import { dealChoices } from './deals/choices.ts';
import { paymentChoices } from './payments/choices.ts';
import { pipelineChoices } from './pipelines/choices.ts';
import { tagChoices } from './tags/choices.ts';
import { teamChoices } from './team/choices.ts';
import { tokenChoices } from './token/choices.ts';

/** Choices of this part of the sandbox, by id: those of every resource, and those that several share. */
export const crmChoices = {
  ...contactChoices,
  ...teamChoices,
  ...pipelineChoices,
  ...dealChoices,
  ...tagChoices,
  ...paymentChoices,
  ...tokenChoices,
  'unknown-reference': 'A record that a body names by its ID and that is not there is answered with 422.',
  'incomplete-entry': 'An entry of a list that lacks one of the fields it cannot do without is answered with 422.',
  'omitted-fields-kept': 'A field that an update leaves out keeps its stored value.',
  'facts-without-field-names':
    'What a reply is said to hold without the name of a field (the creator and the steps of a pipeline, the author and status of a note, the notes of a detailed deal, the title of an attribute value) is left out.',
  'search-request-empty': 'The search request in the reply of a list is an empty text.',
  'listed-by-order':
    'Pipelines, steps, attributes and fail reasons are listed by their display order, then those without one by their age.',
  'listed-by-age':
    'Where the documents name no order, a list has its records, or the links to them, in the order in which they were made.',
  'new-attribute': 'A new attribute is active, not mandatory and without a display order.',
  'attribute-change-keeps-values': 'A change of type or options of an attribute leaves stored values as they are.',
  'attribute-without-effect':
    'A mandatory attribute demands nothing of a deal or a contact, and an inactive or hidden one takes values too.',
  'numeric-text': 'A number as text is digits, with a sign and with decimals after a dot where needed.',
  'link-url': 'A link is an absolute URL of any scheme, as the URL standard reads it.',
} as const;
