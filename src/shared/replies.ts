/** What the generated files `replies.ts` say about the replies of a product, and about the points that replies can settle. */

/** What in replies settles a point that is not documented. */
export const evidenceKinds = ['fields', 'type', 'format', 'values', 'presence', 'body', 'failure'] as const;

/** One of {@link evidenceKinds}. */
export type Evidence = (typeof evidenceKinds)[number];

/** The keywords of a schema of a reply that observations are compared with. `$ref` is a pointer into the spec: `#/components/schemas/Deal`. */
export interface ReplySchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, ReplySchema>>;
  readonly required?: readonly string[];
  readonly items?: ReplySchema;
  readonly additionalProperties?: boolean | ReplySchema;
  readonly anyOf?: readonly ReplySchema[];
  readonly allOf?: readonly ReplySchema[];
  readonly enum?: readonly (string | number | null)[];
  readonly format?: string;
  readonly pattern?: string;
  readonly contentEncoding?: string;
  /** Names inside are the user's own, and may be personal data. */
  readonly ownNames?: true;
  /** The spec marks the schema as open: its form is not documented. */
  readonly open?: true;
}

/** A documented reply: the pointer of its schema in the spec, and the schema, unless it has no body. */
export interface DocumentedReply {
  readonly at: string;
  readonly schema?: ReplySchema;
}

/** A point that is not documented. */
export interface UndocumentedPoint {
  /** Pointer of the object that has the mark. */
  readonly at: string;
  /** Place in the list of points, if the mark is a list. */
  readonly index?: number;
  readonly text: string;
  readonly gap?: string;
  /** What in replies settles it. Without it, replies cannot. */
  readonly evidence?: Evidence;
}

/** The replies of one product. */
export interface Replies {
  /** By `operationId` and status; `default` is any other status. */
  readonly operations: Readonly<Record<string, Readonly<Record<string, DocumentedReply>>>>;
  /** Components that replies use, by name. */
  readonly schemas: Readonly<Record<string, ReplySchema>>;
}
