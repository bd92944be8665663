import { joinResources } from '../data/resource.ts';
import { type EmailCommonTables, emailCommon } from './common.ts';
import { type DomainsTables, domains } from './domains.ts';
import { type MessagesTables, messages } from './messages/messages.ts';
import { type EmailSendersTables, emailSenders } from './senders.ts';
import { type UnsubscribesTables, unsubscribes } from './unsubscribes.ts';

/** Tables of email data. */
export interface EmailState
  extends EmailCommonTables,
    MessagesTables,
    UnsubscribesTables,
    EmailSendersTables,
    DomainsTables {}

/**
 * The email resources.
 *
 * @internal
 */
export const email = joinResources({ common: emailCommon, messages, unsubscribes, senders: emailSenders, domains });
