/**
 * Where a reply holds its payload; without one, the body itself is the payload. `data[]`: the documents write one record
 * although a list is meant, so one record becomes a list of one.
 */
export type PayloadPath = 'data' | 'data[]' | 'data.list' | 'data.data';

/** How a field is encoded: text or bytes as Base64, a map of files (bytes), a value as JSON. */
export type Encoding = 'base64Text' | 'base64' | 'base64Map' | 'json';

/** How a list operation is paged. */
export interface Paging {
  readonly limit: string;
  readonly offset: string;
  readonly maximum?: number;
  /** The documents do not state paging here: it is used only if the caller gives a limit. */
  readonly inferred?: true;
}

/** What the client needs at run time to know about an operation. The generator writes it from the spec. */
export interface OperationRecord {
  readonly id: string;
  /** Place of its method in the client: `deals.comments.create`. */
  readonly method: string;
  /** Parameters in the path and in the query. Other fields are in the query of a GET, and in the body of other methods. */
  readonly params?: Readonly<Record<string, 'path' | 'query'>>;
  /** Base path, if it differs from the table's. */
  readonly base?: string;
  readonly payload?: PayloadPath;
  /** No body is documented: any body is ignored. */
  readonly empty?: true;
  /** The payload can be `null`. Without this, a `null` where the payload belongs does not match the spec. */
  readonly nullable?: true;
  /** A POST that only reads. */
  readonly safe?: true;
  readonly deprecated?: true;
  /** Takes no credential. */
  readonly anonymous?: true;
  /** Path parameters that are text; all others are integers. */
  readonly text?: readonly string[];
  readonly paging?: Paging;
  /** Body fields that a method takes decoded, and how they are encoded. */
  readonly encode?: Readonly<Record<string, Encoding>>;
  /** The one key that wraps the body on the wire; a method takes the fields inside it. */
  readonly wrap?: string;
  /** Takes no parameters: its method takes the options first. */
  readonly bare?: true;
}

/** Operations of one spec, by path template and method as in OpenAPI. */
export interface OperationTable {
  readonly base: string;
  readonly operations: Readonly<Record<string, Readonly<Record<string, OperationRecord>>>>;
}

/** An operation with its place in the table. */
export interface Operation {
  readonly method: string;
  /** Path template. */
  readonly path: string;
  readonly record: OperationRecord;
}

/** A value that is the record's own: not `constructor` and its like. */
export function own<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Method and path template, as messages and errors name an operation. */
export function keyOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** The operations of a table in its order. */
export function listOperations({ operations }: OperationTable): Operation[] {
  return Object.entries(operations).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, record]) => ({ method, path, record })),
  );
}
