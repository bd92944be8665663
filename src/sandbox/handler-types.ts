import type { operations as CrmOperations } from '../../generated/crm/types.ts';
import type { operations as EmailOperations } from '../../generated/email/types.ts';
import type { operations as MessagingOperations } from '../../generated/messaging/types.ts';
import type { Handler } from './handler.ts';

/** A handler for each operation, by operationId: a missing one, or one with a wrong reply, does not compile. */
export type CrmHandlers = HandlersOf<CrmOperations>;
export type MessagingHandlers = HandlersOf<MessagingOperations>;
export type EmailHandlers = HandlersOf<EmailOperations>;

type HandlersOf<Operations> = { [Id in keyof Operations]: HandlerOf<Operations[Id]> };

type HandlerOf<Operation> = Handler<
  Parameters<Operation, 'path'>,
  Parameters<Operation, 'query'>,
  Body<Operation>,
  Reply<Operation>
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
