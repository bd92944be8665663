import type { Product } from '../../generated/products.ts';
import { crmHandlers } from './crm/handlers.ts';
import { emailHandlers } from './email/handlers.ts';
import type { Handlers } from './handler-types.ts';
import { messagingHandlers } from './messaging/handlers.ts';
import type { products } from './products.ts';
import { merge } from './resource.ts';

type ByResource = { [Name in Product]: { [Resource in keyof (typeof products)[Name]['resources']]?: object } };

/** The handlers of each product, by resource. */
export const handlersByResource = {
  crm: crmHandlers,
  messaging: messagingHandlers,
  email: emailHandlers,
} satisfies ByResource;

/** A handler for each operation. A handler that is missing does not compile. */
export const handlers: Handlers = {
  crm: merge(Object.values(crmHandlers)),
  messaging: merge(Object.values(messagingHandlers)),
  email: merge(Object.values(emailHandlers)),
};
