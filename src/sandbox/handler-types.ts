import type { crmDetails } from '../../generated/crm/details.ts';
import type { operations as CrmOperations } from '../../generated/crm/types.ts';
import type { emailDetails } from '../../generated/email/details.ts';
import type { operations as EmailOperations } from '../../generated/email/types.ts';
import type { messagingDetails } from '../../generated/messaging/details.ts';
import type { operations as MessagingOperations } from '../../generated/messaging/types.ts';
import type { Context, ReplyChoices } from './context.ts';
import type { AnyRule } from './rules.ts';

/**
 * A handler for each operation, by operationId. A missing one, one with a wrong reply, and one without a check of its
 * documented error codes do not compile.
 */
export type CrmHandlers = HandlersOf<CrmOperations, typeof crmDetails>;
export type MessagingHandlers = HandlersOf<MessagingOperations, typeof messagingDetails>;
export type EmailHandlers = HandlersOf<EmailOperations, typeof emailDetails>;

/** A request that has passed the checks of its shape. */
export interface CheckedRequest<Path, Query, Body> {
  path: Path;
  query: Query;
  body: Body;
}

/**
 * Answers an operation: returns the body of its success reply, as the spec describes it, and throws a failure by
 * `context.refuse…`.
 */
export type Handler<Request, Reply> = (request: Request, context: Context) => Reply;

/** A handler with what always applies to its operation. */
export interface HandlerEntry<Request, Reply> extends ReplyChoices {
  handle: Handler<Request, Reply>;
  /** Called after the check of the shape and before that of the limits: the rules with a documented status or code. */
  beforeLimits?: Handler<Request, void>;
  /** The documented rule that a request breaks if it does not fit the schema. */
  schemaRule?: AnyRule;
}

/** The request of a handler, such as `RequestOf<EmailHandlers['listEmailMessages']>`. */
export type RequestOf<Entry> = Entry extends { handle: (request: infer Request, context: Context) => unknown }
  ? Request
  : never;

type HandlersOf<Operations, Details> = {
  [Id in keyof Operations]: Id extends WithCodes<Details>
    ? CodedEntry<RequestTo<Operations[Id]>, Reply<Operations[Id]>>
    : Entry<RequestTo<Operations[Id]>, Reply<Operations[Id]>>;
};

type Entry<Request, Reply> = Handler<Request, Reply> | HandlerEntry<Request, Reply>;
type CodedEntry<Request, Reply> = HandlerEntry<Request, Reply> & { beforeLimits: Handler<Request, void> };

/** Ids of the operations with documented error codes. */
type WithCodes<Details> = { [Id in keyof Details]: Details[Id] extends { errors: object } ? Id : never }[keyof Details];

type RequestTo<Operation> = CheckedRequest<
  Parameters<Operation, 'path'>,
  Parameters<Operation, 'query'>,
  Body<Operation>
>;

type Parameters<Operation, Place extends string> = Operation extends { parameters: { [P in Place]: infer Values } }
  ? Values
  : Operation extends { parameters: { [P in Place]?: infer Values } }
    ? [Values] extends [undefined]
      ? Record<never, never>
      : NonNullable<Values>
    : never;

type Json<Body> = Body extends { content: { 'application/json': infer Value } } ? Value : undefined;

type Body<Operation> = Operation extends { requestBody: infer Sent }
  ? Json<Sent>
  : Operation extends { requestBody?: infer Sent }
    ? Json<Sent> | undefined
    : undefined;

/** `undefined` if no body is documented. */
type Reply<Operation> = Operation extends { responses: infer Responses }
  ? Responses extends { 200: { content: { 'application/json': infer Value } } }
    ? Value
    : Responses extends { 201: { content: { 'application/json': infer Value } } }
      ? Value
      : undefined
  : never;
