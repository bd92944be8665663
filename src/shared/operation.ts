/**
 * Path of the payload in a response, such as `data` or `data.list`. If there is no path, the body itself is the payload. If the
 * path is `data[]`, a single record becomes a list of one record, because the documents show a record where they describe a
 * list.
 */
export type PayloadPath = string;

/** How a field is encoded: text or bytes as Base64, a map of file names to bytes as Base64, or a value as JSON. */
export type Encoding = 'base64Text' | 'base64' | 'base64Map' | 'json';

/** How a list operation is paged. */
export interface Paging {
  readonly limit: string;
  readonly offset: string;
  readonly maximum?: number;
  /** The documents do not say whether this list is paged. The client pages it only if the caller sets a limit. */
  readonly inferred?: true;
}

/** Data about an operation that the client needs at run time. Generated from the spec. */
export interface OperationRecord {
  readonly id: string;
  /** Path of the method in the client, such as `deals.comments.create`. */
  readonly method: string;
  /** Parameters in the path and the query. Other fields are in the query of a GET, and in the body of other methods. */
  readonly params?: Readonly<Record<string, 'path' | 'query'>>;
  /** Base path, if it differs from the base path of the table. */
  readonly base?: string;
  readonly payload?: PayloadPath;
  /** No body is documented. The client ignores any body. */
  readonly empty?: true;
  /** The payload is a list. Not set for paged operations. */
  readonly list?: true;
  /** The operation changes something, and its response confirms the change with `result: true`. */
  readonly result?: true;
  /** The payload can be `null`. Otherwise, a `null` payload does not match the spec. */
  readonly nullable?: true;
  /** The operation changes nothing: every GET, and a POST that only looks something up. */
  readonly reads?: true;
  readonly deprecated?: true;
  /** The operation takes no credential. */
  readonly anonymous?: true;
  /** Path parameters that are strings. All other path parameters are integers. */
  readonly text?: readonly string[];
  readonly paging?: Paging;
  /** Encodings of the body fields that a method encodes. */
  readonly encode?: Readonly<Record<string, Encoding>>;
  /** Single key that wraps the body on the wire. A method takes the fields inside it. */
  readonly wrap?: string;
  /** The operation has no parameters, so the options are the first argument of its method. */
  readonly bare?: true;
  /**
   * The parameters can include names of call options, because the body accepts an account's own fields or the spec defines such a
   * parameter.
   */
  readonly open?: true;
}

/** Operations of one spec, by path template and method as in OpenAPI. */
export interface OperationTable {
  readonly base: string;
  readonly operations: Readonly<Record<string, Readonly<Record<string, OperationRecord>>>>;
}

/** An operation with its HTTP method and path template. */
export interface Operation {
  readonly method: string;
  /** Path template. */
  readonly path: string;
  readonly record: OperationRecord;
}

/** Returns an own property of a record, but not an inherited property such as `constructor`. */
export function own<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Method and path template, used as the name of an operation in messages and errors. */
export function keyOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/**
 * Whether a call changes no record, so that it can be sent twice. This includes a token request, which only creates a
 * credential for its caller.
 */
export function changesNoRecord({ reads, anonymous }: OperationRecord): boolean {
  return reads === true || anonymous === true;
}

/** Lists the operations of a table, in the order of the table. */
export function listOperations({ operations }: OperationTable): Operation[] {
  return Object.entries(operations).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, record]) => ({ method, path, record })),
  );
}
