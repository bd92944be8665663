/** Where the payload of a reply stands: the body itself where nothing is said. */
export type PayloadPath = 'data' | 'data.list' | 'data.data';

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
  /** The payload is meant as a list, though the documents write one record: one record becomes a list of one. */
  readonly inferredList?: true;
  /** No body is documented: whatever comes is ignored. */
  readonly empty?: true;
  /** A POST that only reads. */
  readonly safe?: true;
  readonly deprecated?: true;
  /** Takes no credential. */
  readonly anonymous?: true;
  /** Type of each path parameter. */
  readonly path?: Readonly<Record<string, string>>;
  readonly paging?: Paging;
}

/** The operations of one spec by `METHOD /path`. */
export interface OperationTable {
  readonly base: string;
  readonly operations: Readonly<Record<string, OperationData>>;
}
