import { type CrmHandlers, type crmErrorRules, crmRoutes } from '../../generated/crm/handlers.ts';
import { type EmailHandlers, type emailErrorRules, emailRoutes } from '../../generated/email/handlers.ts';
import {
  type MessagingHandlers,
  type messagingErrorRules,
  messagingRoutes,
} from '../../generated/messaging/handlers.ts';
import type { Context, Route } from './handler.ts';
import { crmCodedRules, crmHandlers, crmSchemaRules } from './handlers/crm/index.ts';
import { emailCodedRules, emailHandlers } from './handlers/email/index.ts';
import { messagingCodedRules, messagingHandlers } from './handlers/messaging/index.ts';
import type { AnyRule } from './rules.ts';

/** A handler whose request has been checked against its route: the types have been compared where it is registered. */
export type AnyHandler = (request: { path: object; query: object; body: unknown }, context: Context) => unknown;

export interface Operation {
  route: Route;
  handler: AnyHandler;
  /** The rules that a documented code answers; they come before the plain limits. */
  coded?: AnyHandler;
  /** The rule that a request which does not fit the schema breaks, where one is documented. */
  schemaRule?: AnyRule;
}

/** Every operation of the three specs with its handler, and the checks of one with error codes; a missing one does not compile. */
export const operations: readonly Operation[] = [
  ...pair<CrmHandlers, keyof typeof crmErrorRules>(crmRoutes, crmHandlers, crmCodedRules, crmSchemaRules),
  ...pair<MessagingHandlers, keyof typeof messagingErrorRules>(messagingRoutes, messagingHandlers, messagingCodedRules),
  ...pair<EmailHandlers, keyof typeof emailErrorRules>(emailRoutes, emailHandlers, emailCodedRules),
];

function pair<Handlers extends object, WithCodes extends keyof Handlers>(
  routes: readonly Route<keyof Handlers & string>[],
  handlers: Handlers,
  coded: { [Id in keyof Handlers]?: unknown } & Record<WithCodes, object>,
  schemaRules: { [Id in keyof Handlers]?: AnyRule } = {},
): Operation[] {
  return routes.map((route) => ({
    route,
    handler: handlers[route.id] as AnyHandler,
    ...(coded[route.id] !== undefined && { coded: coded[route.id] as AnyHandler }),
    ...(schemaRules[route.id] !== undefined && { schemaRule: schemaRules[route.id] }),
  }));
}
