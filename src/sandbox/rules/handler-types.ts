import type { behaviours } from '../../../generated/behaviour.ts';
import type { Product } from '../../../generated/products.ts';
import type { Operations } from '../../../generated/types.ts';
import type { BodyOf, Response } from '../../shared/paths-of.ts';
import type { SandboxState } from '../products/state.ts';
import type { Context, ResponseChoices } from './context.ts';
import type { AnyRule } from './rules.ts';

/**
 * A handler for each operation of a product, by `operationId`. The types require every handler, the documented response, and a
 * check for each documented error code.
 */
export type Handlers = { [Name in Product]: HandlersOf<Operations[Name], (typeof behaviours)[Name]> };

/** A request that has passed the shape checks. */
export interface CheckedRequest<Path, Query, Body> {
  path: Path;
  query: Query;
  body: Body;
}

/**
 * Handles an operation: returns the body of the success response as the spec describes it, or rejects the request with
 * `context.reject…`.
 */
export type Handler<Request, Response> = (request: Request, context: Context) => Response;

/** A handler with the choices and checks that always apply to its operation. */
export interface HandlerEntry<Request, Response> extends ResponseChoices {
  handle: Handler<Request, Response>;
  /**
   * Returns the body with replacements for values that violate the schema but have a documented error code, so that the shape
   * check does not reject them first. Runs before the shape check.
   */
  beforeShape?(body: unknown, state: SandboxState): unknown;
  /** Checks the rules with a documented status or code. Runs after the shape check and before the limits check. */
  beforeLimits?: Handler<Request, void>;
  /** The documented rule that a request violates if it does not match the schema. */
  schemaRule?: AnyRule;
}

/** Request type of a handler, such as `RequestOf<Handlers['email']['listEmailMessages']>`. */
export type RequestOf<Entry> = Entry extends { handle: (request: infer Request, context: Context) => unknown }
  ? Request
  : never;

type HandlersOf<Operations, Details> = {
  [Id in keyof Operations]: Id extends WithCodes<Details>
    ? CodedEntry<RequestTo<Operations[Id]>, Response<Operations[Id]>>
    : Entry<RequestTo<Operations[Id]>, Response<Operations[Id]>>;
};

type Entry<Request, Response> = Handler<Request, Response> | HandlerEntry<Request, Response>;
type CodedEntry<Request, Response> = HandlerEntry<Request, Response> & { beforeLimits: Handler<Request, void> };

/** IDs of the operations with documented error codes. */
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

type Body<Operation> = Operation extends { requestBody: infer Sent }
  ? BodyOf<Sent>
  : Operation extends { requestBody?: infer Sent }
    ? BodyOf<Sent> | undefined
    : undefined;
