import { crm } from './crm/resources.ts';
import { refuseUnactivated } from './email/common.ts';
import { email } from './email/resources.ts';
import type { CrmHandlers, EmailHandlers, HandlerEntry, MessagingHandlers } from './handler-types.ts';
import { messaging } from './messaging/resources.ts';
import { crmRoutes, emailRoutes, messagingRoutes, type Route } from './routes.ts';

/** A handler entry of any operation. The handler tables check its types. */
type AnyEntry = HandlerEntry<{ path: object; query: object; body: unknown }, unknown>;

export interface Endpoint extends AnyEntry {
  route: Route;
}

/** Every operation of the three specs with its handler. A missing handler does not compile. */
export const endpoints: readonly Endpoint[] = [
  ...join<CrmHandlers>(crmRoutes, crm.handlers),
  ...join<MessagingHandlers>(messagingRoutes, messaging.handlers),
  ...join<EmailHandlers>(emailRoutes, email.handlers, refuseUnactivated),
];

/** @param beforeLimits - a check that runs for every operation */
function join<Handlers extends object>(
  routes: readonly Route<keyof Handlers & string>[],
  handlers: Handlers,
  beforeLimits?: AnyEntry['beforeLimits'],
): Endpoint[] {
  return routes.map((route) => {
    const entry = handlers[route.id] as AnyEntry | AnyEntry['handle'];
    const { ...given } = typeof entry === 'function' ? { handle: entry } : entry;
    return { route, ...given, ...(beforeLimits && { beforeLimits }) };
  });
}
