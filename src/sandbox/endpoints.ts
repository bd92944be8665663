import { crmHandlers } from './crm/handlers.ts';
import { emailHandlers, refuseUnactivated } from './email/handlers.ts';
import type { HandlerEntry } from './handler-types.ts';
import { messagingHandlers } from './messaging/handlers.ts';
import { crmRoutes, emailRoutes, messagingRoutes, type Route } from './routes.ts';

/** An entry whose request has been checked against its route: the types were compared where it was registered. */
type AnyEntry = HandlerEntry<{ path: object; query: object; body: unknown }, unknown>;

export interface Endpoint extends AnyEntry {
  route: Route;
}

/** Every operation of the three specs with its handler. A missing handler does not compile. */
export const endpoints: readonly Endpoint[] = [
  ...join(crmRoutes, crmHandlers),
  ...join(messagingRoutes, messagingHandlers),
  ...join(emailRoutes, emailHandlers, refuseUnactivated),
];

/** @param beforeLimits - a check of every operation */
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
