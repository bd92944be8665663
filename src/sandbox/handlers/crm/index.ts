import type { CrmHandlers } from '../../handler-types.ts';
import type { AnyRule } from '../../rules.ts';
import { boardHandlers } from './boards.ts';
import { contactAttributeValueHandlers } from './contact-attribute-values.ts';
import { contactAttributeHandlers } from './contact-attributes.ts';
import { contactDetailHandlers } from './contact-details.ts';
import { contactLegacyChecks, contactLegacyHandlers } from './contact-legacy.ts';
import { contactListHandlers } from './contact-list.ts';
import { contactNoteHandlers } from './contact-notes.ts';
import { contactHandlers } from './contacts.ts';
import { dealAttributeValueHandlers } from './deal-attribute-values.ts';
import { dealAttributeHandlers } from './deal-attributes.ts';
import { dealContactHandlers } from './deal-contacts.ts';
import { dealFailureChecks } from './deal-failure.ts';
import { dealNoteHandlers } from './deal-notes.ts';
import { dealHandlers } from './deals.ts';
import { failReasonChecks, failReasonHandlers } from './fail-reasons.ts';
import { messengerTypeHandlers } from './messenger-types.ts';
import { paymentHandlers } from './payments.ts';
import { pipelineHandlers } from './pipelines.ts';
import { stepHandlers } from './steps.ts';
import { tagHandlers } from './tags.ts';
import { tokenHandlers } from './token.ts';
import { userHandlers } from './users.ts';

/** The handlers of this part, by operationId. */
export const crmHandlers: CrmHandlers = {
  ...userHandlers,
  ...pipelineHandlers,
  ...stepHandlers,
  ...dealHandlers,
  ...dealNoteHandlers,
  ...dealContactHandlers,
  ...dealAttributeHandlers,
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

/** What is checked between shape and limits, by operationId. */
export const crmCodedRules = { ...failReasonChecks, ...dealFailureChecks, ...contactLegacyChecks };

/** The rule that a request which does not fit its schema breaks, where one is documented. */
export const crmSchemaRules: { [Id in keyof CrmHandlers]?: AnyRule } = {
  createPipelineFailReason: 'fail-reason-invalid',
  updatePipelineFailReason: 'fail-reason-invalid',
};
