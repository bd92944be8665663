import type { CallOptions } from './call-types.ts';

type Verb = 'get' | 'put' | 'post' | 'delete';

/**
 * Maps each HTTP method and path to the arguments and result of the operation. Evaluated once, so that the types of a
 * client's functions are only lookups.
 */
export type PathsOf<Paths> = {
  [Method in UsedVerb<Paths[keyof Paths]> as Uppercase<Method>]: {
    [Path in keyof Paths as Paths[Path] extends Record<Method, object> ? Path : never]: {
      args: PathArgs<Paths[Path][Method]>;
      data: PathPayload<Paths[Path][Method]>;
      meta: PathMeta<Paths[Path][Method]>;
    };
  };
};

/** The HTTP methods that a set of paths supports. */
type UsedVerb<Item> = Item extends unknown ? Extract<keyof Item, Verb> : never;

/** The arguments after the path: options, and the parameters and body of the operation. Optional if none of them is required. */
type PathArgs<Operation> = Init<InParams<Operation> & InBody<Operation>>;

type Init<Own> = Record<never, never> extends Own ? [init?: CallOptions & Own] : [init: CallOptions & Own];

type InParams<Operation> = Operation extends { parameters: infer Places }
  ? keyof Places extends never
    ? unknown
    : Record<never, never> extends Places
      ? { params?: Places | undefined }
      : { params: Places }
  : never;

/** Even an optional body must be passed if at least one of its fields is required. */
type InBody<Operation> = Operation extends { requestBody: infer Message }
  ? { body: BodyOf<Message> }
  : 'requestBody' extends keyof Operation
    ? Optional<BodyOf<NonNullable<Operation['requestBody' & keyof Operation]>>>
    : unknown;

type Optional<Body> = Record<never, never> extends Body ? { body?: Body | undefined } : { body: Body };

/** JSON body of a request or a response, or `undefined` if there is no body. */
export type BodyOf<Message> = Message extends { content: infer Content } ? Content[keyof Content] : undefined;

/** The body of a success response. `undefined` if none is documented. */
export type Response<Operation> = Operation extends { responses: infer Responses }
  ? BodyOf<Responses[keyof Responses & (200 | 201 | 204)]>
  : never;

/** The payload of a response, without its envelope. `undefined` if no body is documented. */
type PathPayload<Operation> = Operation extends { payload: infer Keys }
  ? At<Response<Operation>, Keys>
  : Response<Operation>;

type At<Value, Keys> = Keys extends `${infer Key}.${infer Rest}` ? At<Member<Value, Key>, Rest> : Member<Value, Keys>;

type Member<Value, Key> = Value[Key & keyof Value];

/** The other fields of the envelope. `undefined` if there are none. */
type PathMeta<Operation> = Operation extends { payload: infer Keys }
  ? Shown<Beside<Response<Operation>, Keys>>
  : undefined;

type Beside<Value, Keys> = Keys extends `${infer Key}.${infer Rest}`
  ? Others<Value, Key> & Beside<Member<Value, Key>, Rest>
  : Others<Value, Keys>;

/** The members of a field named `meta` move up one level. */
type Others<Value, Key> = Omit<Value, (Key & string) | 'meta'> &
  (Value extends { meta: infer Fields } ? Fields : unknown);

type Shown<Fields> = keyof Fields extends never ? undefined : { [Name in keyof Fields]: Fields[Name] };
