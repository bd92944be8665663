import { boardHandlers } from './boards-handlers.ts';
import { contactAttributeHandlers } from './contact-attributes-handlers.ts';
import { contactAttributeValueHandlers } from './contacts/contact-attribute-values-handlers.ts';
import { contactDetailHandlers } from './contacts/contact-details-handlers.ts';
import { contactListHandlers } from './contacts/contact-list-handlers.ts';
import { contactHandlers } from './contacts/contacts-handlers.ts';
import { contactLegacyHandlers } from './contacts/legacy-form.ts';
import { dealAttributeValueHandlers } from './deals/deal-attribute-values-handlers.ts';
import { dealContactHandlers } from './deals/deal-contacts-handlers.ts';
import { dealNoteHandlers } from './deals/deal-notes-handlers.ts';
import { dealHandlers } from './deals/deals-handlers.ts';
import { messengerTypeHandlers } from './messenger-types-handlers.ts';
import { paymentHandlers } from './payments-handlers.ts';
import { dealAttributeHandlers } from './pipelines/deal-attributes-handlers.ts';
import { failReasonHandlers } from './pipelines/fail-reasons-handlers.ts';
import { pipelineHandlers } from './pipelines/pipelines-handlers.ts';
import { stepHandlers } from './pipelines/steps-handlers.ts';
import type { crm } from './resources.ts';
import { tagHandlers } from './tags-handlers.ts';
import { teamHandlers } from './team-handlers.ts';
import { tokenHandlers } from './token-handlers.ts';

/**
 * The handlers of the CRM resources, by resource name in `resources.ts`. Add the handlers of every new file here.
 *
 * @internal
 */
export const crmHandlers = {
  team: teamHandlers,
  pipelines: pipelineHandlers,
  steps: stepHandlers,
  dealAttributes: dealAttributeHandlers,
  failReasons: failReasonHandlers,
  contacts: {
    ...contactHandlers,
    ...contactListHandlers,
    ...contactLegacyHandlers,
    ...contactDetailHandlers,
    ...contactAttributeValueHandlers,
  },
  contactAttributes: contactAttributeHandlers,
  messengerTypes: messengerTypeHandlers,
  deals: {
    ...dealHandlers,
    ...dealNoteHandlers,
    ...dealContactHandlers,
    ...dealAttributeValueHandlers,
  },
  tags: tagHandlers,
  payments: paymentHandlers,
  boards: boardHandlers,
  token: tokenHandlers,
} satisfies { [Name in keyof typeof crm.resources]?: object };
