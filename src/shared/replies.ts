/** Types of the generated files `replies.ts` and `open-points.ts`: documented replies, and the points that replies can settle. */

/** Kinds of evidence in replies that settle an undocumented point. */
export const evidenceKinds = ['fields', 'type', 'format', 'values', 'presence', 'body', 'failure'] as const;

/** One of {@link evidenceKinds}. */
export type Evidence = (typeof evidenceKinds)[number];

/** Keywords of a reply schema that observations are compared with. `$ref` is a pointer into the spec, such as `#/components/schemas/Deal`. */
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
  /** Set if the names inside are the user's own, which may be personal data. */
  readonly ownNames?: true;
  /** Set if the schema has `x-open`, because its form is not documented. */
  readonly open?: true;
}

/** A documented reply. Without a body, it has no schema. */
export interface DocumentedReply {
  readonly at: string;
  readonly schema?: ReplySchema;
}

/** A point that is not documented. */
export interface UndocumentedPoint {
  /** Pointer of the object that has the mark. */
  readonly at: string;
  /** Set for an assumption, which the documents neither state nor leave open. */
  readonly mark?: 'x-inferred';
  /** Index in the mark, if the mark is a list. */
  readonly index?: number;
  readonly text: string;
  readonly gap?: string;
  /** Kind of evidence that settles the point. Absent if replies cannot settle it. */
  readonly evidence?: Evidence;
}

/** The replies of one product. */
export interface Replies {
  /** By `operationId` and status; `default` is any other status. */
  readonly operations: Readonly<Record<string, Readonly<Record<string, DocumentedReply>>>>;
  /** Components that replies use, by name. */
  readonly schemas: Readonly<Record<string, ReplySchema>>;
  /** Names of fields, also of requests, whose values are maps: the names inside are the user's own. */
  readonly maps: readonly string[];
}
