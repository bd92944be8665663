import type { EmailHandlers } from '../../handler-types.ts';
import { activationChecks } from './activation.ts';
import { bounceHandlers } from './bounces.ts';
import { domainHandlers } from './domains.ts';
import { messageHandlers } from './messages.ts';
import { requestEmailResubscription } from './resubscribe.ts';
import { sendEmailMessage } from './send.ts';
import { senderHandlers } from './senders.ts';
import { unsubscribeHandlers } from './unsubscribes.ts';

/** The handlers of this part, by operationId. */
export const emailHandlers: EmailHandlers = {
  sendEmailMessage,
  ...messageHandlers,
  ...bounceHandlers,
  ...unsubscribeHandlers,
  requestEmailResubscription,
  ...senderHandlers,
  ...domainHandlers,
};

/** What is checked between shape and limits, by operationId. */
export const emailCodedRules = activationChecks;
