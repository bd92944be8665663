import type { Product } from '../../generated/products.ts';
import { crmHandlers } from './crm/handlers.ts';
import { emailHandlers } from './email/handlers.ts';
import type { Handlers } from './handler-types.ts';
import { messagingHandlers } from './messaging/handlers.ts';
import { merge } from './resource.ts';

/** The handlers of each product, by resource. */
export const handlersByResource = {
  crm: crmHandlers,
  messaging: messagingHandlers,
  email: emailHandlers,
} satisfies Record<Product, object>;

/** A handler for each operation. A handler that is missing does not compile. */
export const handlers: { [Name in Product]: Handlers[Name] } = {
  crm: merge(Object.values(crmHandlers)),
  messaging: merge(Object.values(messagingHandlers)),
  email: merge(Object.values(emailHandlers)),
};
