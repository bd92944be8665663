import type { Product } from '../../../generated/products.ts';
import { crmHandlers } from '../crm/handlers.ts';
import { merge } from '../data/resource.ts';
import { emailHandlers } from '../email/handlers.ts';
import { messagingHandlers } from '../messaging/handlers.ts';
import type { Handlers } from '../rules/handler-types.ts';

/** The handlers of each product, by resource. */
export const handlersByResource = {
  crm: crmHandlers,
  messaging: messagingHandlers,
  email: emailHandlers,
} satisfies Record<Product, object>;

/** A handler for each operation. If a handler is missing, this table does not compile. */
export const handlers: { [Name in Product]: Handlers[Name] } = {
  crm: merge(Object.values(crmHandlers)),
  messaging: merge(Object.values(messagingHandlers)),
  email: merge(Object.values(emailHandlers)),
};
