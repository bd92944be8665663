import { joinResources } from '../data/resource.ts';
import { type CommonTables, common } from './common.ts';
import { type DomainsTables, domains } from './domains.ts';
import { type MessagesTables, messages } from './messages/messages.ts';
import { type SendersTables, senders } from './senders.ts';
import { type UnsubscribesTables, unsubscribes } from './unsubscribes.ts';

/** Tables of email data. */
export interface EmailState extends CommonTables, MessagesTables, UnsubscribesTables, SendersTables, DomainsTables {}

/**
 * The email resources.
 *
 * @internal
 */
export const email = joinResources({ common, messages, unsubscribes, senders, domains });
