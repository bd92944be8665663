import type { crmDetails } from '../../generated/crm/details.ts';
import type { emailDetails } from '../../generated/email/details.ts';
import type { messagingDetails } from '../../generated/messaging/details.ts';
import type { Context } from './handler.ts';
import type { CrmHandlers, EmailHandlers, MessagingHandlers } from './handler-types.ts';
import { crmCodedRules, crmHandlers, crmSchemaRules } from './handlers/crm/index.ts';
import { emailCodedRules, emailHandlers } from './handlers/email/index.ts';
import { messagingCodedRules, messagingHandlers } from './handlers/messaging/index.ts';
import { crmRoutes, emailRoutes, messagingRoutes, type Route } from './routes.ts';
import type { AnyRule } from './rules.ts';

/** A handler whose request has been checked against its route: the types have been compared where it is registered. */
export type AnyHandler = (request: { path: object; query: object; body: unknown }, context: Context) => unknown;

export interface Endpoint {
  route: Route;
  handler: AnyHandler;
  /** The rules that a documented code answers; they come before the plain limits. */
  coded?: AnyHandler;
  /** The rule that a request which does not fit the schema breaks, where one is documented. */
  schemaRule?: AnyRule;
}

/** Every operation of the three specs with its handler, and the checks of one with error codes; a missing one does not compile. */
export const endpoints: readonly Endpoint[] = [
  ...pair<CrmHandlers, WithCodes<typeof crmDetails>>(crmRoutes, crmHandlers, crmCodedRules, crmSchemaRules),
  ...pair<MessagingHandlers, WithCodes<typeof messagingDetails>>(
    messagingRoutes,
    messagingHandlers,
    messagingCodedRules,
  ),
  ...pair<EmailHandlers, WithCodes<typeof emailDetails>>(emailRoutes, emailHandlers, emailCodedRules),
];

/** Ids of the operations that document error codes. */
type WithCodes<Details> = { [Id in keyof Details]: Details[Id] extends { errors: object } ? Id : never }[keyof Details];

function pair<Handlers extends object, WithCodes extends keyof Handlers>(
  routes: readonly Route<keyof Handlers & string>[],
  handlers: Handlers,
  coded: { [Id in keyof Handlers]?: unknown } & Record<WithCodes, object>,
  schemaRules: { [Id in keyof Handlers]?: AnyRule } = {},
): Endpoint[] {
  return routes.map((route) => ({
    route,
    handler: handlers[route.id] as AnyHandler,
    ...(coded[route.id] !== undefined && { coded: coded[route.id] as AnyHandler }),
    ...(schemaRules[route.id] !== undefined && { schemaRule: schemaRules[route.id] }),
  }));
}
