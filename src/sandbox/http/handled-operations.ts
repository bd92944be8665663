import { productNames } from '../../../generated/products.ts';
import { rejectUnactivated } from '../email/handlers.ts';
import { handlers } from '../products/handlers.ts';
import type { HandlerEntry } from '../rules/handler-types.ts';
import { type Route, routes } from '../rules/routes.ts';

/** A handler entry of any operation. The handler tables check its types. */
type AnyEntry = HandlerEntry<{ path: object; query: object; body: unknown }, unknown>;

export type Endpoint = AnyEntry & { route: Route };

/** Every operation of the specs with its handler. */
export const endpoints: readonly Endpoint[] = productNames.flatMap((product) => {
  const entries: Readonly<Record<string, unknown>> = handlers[product];
  return routes[product].map((route) => {
    const entry = entries[route.id] as AnyEntry | AnyEntry['handle'];
    const given = typeof entry === 'function' ? { handle: entry } : entry;
    return { route, ...given, ...(product === 'email' && { beforeLimits: rejectUnactivated }) };
  });
});
