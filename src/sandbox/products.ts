import type { Product } from '../../generated/products.ts';
import { crm } from './crm/resources.ts';
import { email } from './email/resources.ts';
import type { Handlers } from './handler-types.ts';
import { messaging } from './messaging/resources.ts';

/**
 * The resources of each product, in the order of the documents. A product or a handler that is missing does not compile.
 *
 * @internal
 */
export const products = { crm, messaging, email } satisfies { [Name in Product]: { handlers: Handlers[Name] } };
