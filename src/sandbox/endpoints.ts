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

/** Every operation of the three specs with its handler; the types demand that none is missing. */
export const endpoints: readonly Endpoint[] = [
  ...pair<CrmHandlers>(crmRoutes, crmHandlers, crmCodedRules, crmSchemaRules),
  ...pair<MessagingHandlers>(messagingRoutes, messagingHandlers, messagingCodedRules),
  ...pair<EmailHandlers>(emailRoutes, emailHandlers, emailCodedRules),
];

function pair<Handlers extends object>(
  routes: readonly Route<keyof Handlers & string>[],
  handlers: Handlers,
  coded: { [Id in keyof Handlers]?: unknown } = {},
  schemaRules: { [Id in keyof Handlers]?: AnyRule } = {},
): Endpoint[] {
  return routes.map((route) => ({
    route,
    handler: handlers[route.id] as AnyHandler,
    ...(coded[route.id] !== undefined && { coded: coded[route.id] as AnyHandler }),
    ...(schemaRules[route.id] !== undefined && { schemaRule: schemaRules[route.id] }),
  }));
}
