import type { PeopleEntry } from './people.ts';

/** The parts of OpenAPI 3.1 and of the project's extensions that the specs use. */

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** Value of `x-open`, `x-inferred` or `x-conflict`: one gap or several, each with the id of its entry of `spec/gaps.yaml`, if any. */
export type GapValue = OneGap | OneGap[];
type OneGap = string | { gap: string; text: string };

export interface GapExtensions {
  'x-open'?: GapValue;
  'x-inferred'?: GapValue;
  'x-conflict'?: GapValue;
  'x-source'?: string;
}

export interface Schema extends GapExtensions {
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  deprecated?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  if?: Schema;
  then?: Schema;
  else?: Schema;
  not?: Schema;
  dependentRequired?: Record<string, string[]>;
  enum?: (string | number | null)[];
  const?: JsonValue;
  default?: JsonValue;
  examples?: JsonValue[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  uniqueItems?: boolean;
  contentEncoding?: string;
  contentMediaType?: string;
  contentSchema?: Schema;
  /** Description of the decoded value, which methods take instead of the encoded one. */
  'x-decoded'?: string;
  'x-enumDescriptions'?: Record<string, string>;
  'x-enum-varnames'?: string[];
  /** Open records that a body writes. */
  'x-record'?: string | string[];
  'x-variants'?: Variants;
  /** Fields that identify a record for readers. */
  'x-title'?: string[];
  /** Set if parameter types require at least one field of the object, although the wire accepts none. */
  'x-at-least-one'?: true;
  /** Keywords of the schema that are not documented. `x-inferred` gives the reason. */
  'x-inferred-limits'?: string[];
}

/** The forms of a body whose fields are valid only in certain combinations. */
interface Variants {
  name: string;
  description: string;
  /** Variants by name. */
  variants: Record<string, Variant>;
}

/** One form. A field that is `false` must be absent. A schema narrows the body's schema. */
export interface Variant {
  description: string;
  required?: string[];
  properties?: Record<string, Schema | false>;
}

export interface Example {
  summary?: string;
  description?: string;
  value: JsonValue;
}

interface MediaType extends GapExtensions {
  schema: Schema;
  examples?: Record<string, Example>;
}

export interface Parameter extends GapExtensions {
  $ref?: string;
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  deprecated?: boolean;
  description?: string;
  schema: Schema;
  example?: JsonValue;
}

export interface Response extends GapExtensions {
  $ref?: string;
  description: string;
  /** Keys that lead to the payload, or `none` if the body is the payload. */
  'x-envelope'?: string;
  content?: Record<string, MediaType>;
}

export interface Server {
  url: string;
  description?: string;
  variables?: Record<string, { default: string; description?: string }>;
}

export interface Rule {
  id: string;
  source: string;
  text: string;
  /** Numbers, dates and words of the text that programs need, by name. */
  values?: Record<string, string | number>;
}

/**
 * A documented error code: its meaning, the id of the rule that it reports, advice for the caller, and whether its cause
 * usually affects many requests.
 */
export interface ErrorCode {
  meaning: string;
  rule: string;
  advice: string;
  concernsAll?: true;
}

export interface Pagination {
  in: 'query' | 'body';
  limit: string;
  offset: string;
  maximum?: number;
  'x-inferred'?: GapValue;
}

export interface RateLimit {
  requests: number;
  seconds: number;
  per: string;
}

/** The list of the people who unsubscribed from what an operation sends. */
interface OptOuts {
  /** ID of the operation that lists these people. */
  operation: string;
  /** Field of its items that identifies a person. */
  field: string;
}

/** Effect of a call. `send` reaches people or costs money. */
export type Effect = 'read' | 'write' | 'delete' | 'send';

/** An effect with facts about what is sent. */
export interface EffectFacts {
  kind: Effect;
  /** Values with which the call reaches people. With other values, the call is a `write`. */
  sendsIf?: Record<string, string | number>;
  /** Field of the body that switches the test mode. */
  testMode?: string;
  optOuts?: OptOuts;
}

export interface OperationObject extends GapExtensions {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  deprecated?: boolean;
  parameters?: Parameter[];
  requestBody?: {
    $ref?: string;
    required?: boolean;
    description?: string;
    content: Record<string, MediaType>;
  } & GapExtensions;
  responses: Record<string, Response>;
  security?: Record<string, string[]>[];
  servers?: Server[];
  'x-sdk': string | { method: string; unwrapBody: string };
  'x-effect': Effect | EffectFacts;
  'x-undo'?: string;
  'x-people'?: PeopleEntry[];
  /** A file can also have `none`, for a list with paging fields that is not paged. The model omits it. */
  'x-pagination'?: Pagination;
  'x-rate-limit'?: RateLimit;
  'x-rules'?: Rule[];
  /** Error codes with their meanings. */
  'x-errors'?: Record<string, ErrorCode>;
}

/** A spec's document: its number, and the number of its last section. Section 0 is the introduction. */
interface DocumentSource {
  number: number;
  sections: number;
}

export interface OpenApi {
  openapi: string;
  info: {
    title: string;
    version: string;
    summary?: string;
    description?: string;
    'x-document': DocumentSource;
    'x-rules'?: Rule[];
  } & GapExtensions;
  servers: Server[];
  tags: { name: string; description?: string }[];
  'x-tagGroups': { name: string; tags: string[] }[];
  paths: Record<string, Record<string, OperationObject | Parameter[]>>;
  components: {
    schemas: Record<string, Schema>;
    parameters?: Record<string, Parameter>;
    responses?: Record<string, Response>;
    [section: string]: Record<string, unknown> | undefined;
  };
}
