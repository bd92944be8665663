import type { CrmHandlers } from '../handler-types.ts';
import { boardHandlers } from './boards/handlers.ts';
import { contactAttributeValueHandlers } from './contacts/attribute-values.ts';
import { contactAttributeHandlers } from './contacts/attributes.ts';
import { contactDetailHandlers } from './contacts/details.ts';
import { contactHandlers } from './contacts/handlers.ts';
import { contactLegacyHandlers } from './contacts/legacy-form.ts';
import { contactListHandlers } from './contacts/list.ts';
import { messengerTypeHandlers } from './contacts/messenger-types.ts';
import { contactNoteHandlers } from './contacts/notes.ts';
import { dealAttributeValueHandlers } from './deals/attribute-values.ts';
import { dealContactHandlers } from './deals/contacts.ts';
import { dealHandlers } from './deals/handlers.ts';
import { dealNoteHandlers } from './deals/notes.ts';
import { paymentHandlers } from './payments/handlers.ts';
import { pipelineAttributeHandlers } from './pipelines/attributes.ts';
import { failReasonHandlers } from './pipelines/fail-reasons.ts';
import { pipelineHandlers } from './pipelines/handlers.ts';
import { stepHandlers } from './pipelines/steps.ts';
import { tagHandlers } from './tags/handlers.ts';
import { teamHandlers } from './team/handlers.ts';
import { tokenHandlers } from './token/handlers.ts';

/** CRM handlers by operationId. */
export const crmHandlers: CrmHandlers = {
  ...teamHandlers,
  ...pipelineHandlers,
  ...stepHandlers,
  ...dealHandlers,
  ...dealNoteHandlers,
  ...dealContactHandlers,
  ...pipelineAttributeHandlers,
  ...dealAttributeValueHandlers,
  ...failReasonHandlers,
  ...messengerTypeHandlers,
  ...paymentHandlers,
  ...contactHandlers,
  ...contactListHandlers,
  ...contactLegacyHandlers,
  ...contactDetailHandlers,
  ...contactNoteHandlers,
  ...contactAttributeHandlers,
  ...contactAttributeValueHandlers,
  ...tagHandlers,
  ...boardHandlers,
  ...tokenHandlers,
};
