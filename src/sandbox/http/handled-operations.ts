import { type Product, productNames } from '../../../generated/products.ts';
import { rejectUnactivated } from '../email/handlers.ts';
import { handlers } from '../products/handlers.ts';
import type { HandlerEntry } from '../rules/handler-types.ts';
import { type Route, routes } from '../rules/routes.ts';

/** A handler entry of any operation. The handler tables check its types. */
type AnyEntry = HandlerEntry<{ path: object; query: object; body: unknown }, unknown>;

export type Endpoint = AnyEntry & { route: Route };

/** Checks that run for every operation of a product. */
const firstChecks: { readonly [Name in Product]?: AnyEntry['beforeLimits'] } = { email: rejectUnactivated };

/** Every operation of the specs with its handler. */
export const endpoints: readonly Endpoint[] = productNames.flatMap((name) =>
  join(routes[name], handlers[name], firstChecks[name]),
);

/** @param beforeLimits - a check that runs for every operation */
function join(
  routes: readonly Route[],
  handlers: Readonly<Record<string, unknown>>,
  beforeLimits?: AnyEntry['beforeLimits'],
): Endpoint[] {
  return routes.map((route) => {
    const entry = handlers[route.id] as AnyEntry | AnyEntry['handle'];
    const { ...given } = typeof entry === 'function' ? { handle: entry } : entry;
    return { route, ...given, ...(beforeLimits && { beforeLimits }) };
  });
}
