import type { Handlers } from '../handler-types.ts';
import { joinResources, type Resource } from '../resource.ts';
import { type CommonTables, common } from './common.ts';
import { type DomainsTables, domains } from './domains.ts';
import { type MessagesTables, messages } from './messages/messages.ts';
import { type SendersTables, senders } from './senders.ts';
import { type UnsubscribesTables, unsubscribes } from './unsubscribes.ts';

/**
 * An email resource that answers some operations.
 *
 * @internal
 */
export type EmailResource<
  Tables extends object,
  Choices extends Resource['choices'],
  Operations extends keyof Handlers['email'],
> = Resource<Tables, EmailState, Choices, Pick<Handlers['email'], Operations>>;

/** Tables of email data. */
export interface EmailState extends CommonTables, MessagesTables, UnsubscribesTables, SendersTables, DomainsTables {}

/**
 * The email resources.
 *
 * @internal
 */
export const email = joinResources([common, messages, unsubscribes, senders, domains]);
