/**
 * Where the payload of a reply stands: the body itself where nothing is said. `[]`: it is meant as a list, though the
 * documents write one record; one record becomes a list of one.
 */
export type PayloadPath = 'data' | 'data[]' | 'data.list' | 'data.data';

/** How a field is encoded: text or bytes to Base64, a map of files, a value to JSON. */
export type Encoding = 'base64' | 'base64Map' | 'json';

/** How a list operation is paged. */
export interface Paging {
  readonly in: 'query' | 'body';
  readonly limit: string;
  readonly offset: string;
  readonly maximum?: number;
  /** The documents do not state paging here: it is used only when the caller gives a limit. */
  readonly inferred?: true;
}

/** What the client knows at run time about an operation; written by the generator from the spec. */
export interface OperationData {
  readonly id: string;
  /** Base path, where it differs from the table's. */
  readonly base?: string;
  readonly payload?: PayloadPath;
  /** No body is documented: whatever comes is ignored. */
  readonly empty?: true;
  /** A POST that only reads. */
  readonly safe?: true;
  readonly deprecated?: true;
  /** Takes no credential. */
  readonly anonymous?: true;
  /** Path parameters that are text; the others are integers. */
  readonly text?: readonly string[];
}

/** What a method does with the body beyond a call by path. */
export interface BodyRules {
  /** Fields that are given decoded, and how they are encoded. */
  readonly encode?: Readonly<Record<string, Encoding>>;
  /** The one key that the wire wraps the body in; the method takes what is in it. */
  readonly wrap?: string;
}

/** The operations of one spec by `METHOD /path`. */
export interface OperationTable {
  readonly base: string;
  readonly operations: Readonly<Record<string, OperationData>>;
}
