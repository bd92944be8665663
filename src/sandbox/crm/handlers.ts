import { boardHandlers } from './boards-handlers.ts';
import { contactAttributeHandlers } from './contact-attributes-handlers.ts';
import { contactAttributeValueHandlers } from './contacts/attribute-values.ts';
import { contactHandlers } from './contacts/contacts-handlers.ts';
import { contactDetailHandlers } from './contacts/details.ts';
import { contactLegacyHandlers } from './contacts/legacy-form.ts';
import { contactListHandlers } from './contacts/list.ts';
import { dealAttributeValueHandlers } from './deals/attribute-values.ts';
import { dealContactHandlers } from './deals/contacts.ts';
import { dealHandlers } from './deals/deals-handlers.ts';
import { dealNoteHandlers } from './deals/notes.ts';
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
