/** What the generated files `reference.ts` say about the operations of a product beyond what the client needs at run time. */

/** What a call does. `send` reaches people or costs money. */
export type Effect = 'read' | 'write' | 'delete' | 'send';

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A JSON Schema (2020-12) in the few keywords that the specs use. `$ref` leads to `#/$defs/<name>`. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
  readonly else?: JsonSchema;
  readonly not?: JsonSchema;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly enum?: readonly (string | number | null)[];
  readonly const?: Json;
  readonly default?: Json;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly uniqueItems?: boolean;
  /** Keywords of this schema that the documents do not state: the service may take other values. */
  readonly 'x-inferred-limits'?: readonly string[];
}

/** A documented rule of behaviour. */
export interface Rule {
  /** Document and section: `1 §2`. */
  readonly source: string;
  readonly text: string;
  /** The operation that it belongs to. Without one, it is a rule of the whole product. */
  readonly operation?: string;
  /** Numbers, dates and words of the text that programs need, by name. */
  readonly values?: Readonly<Record<string, string | number>>;
}

/** A documented quota over a rolling window. */
export interface Quota {
  readonly requests: number;
  readonly seconds: number;
  /** What has the quota: the account, a website. */
  readonly per: string;
}

/** A documented error code. */
export interface ErrorCode {
  readonly meaning: string;
  /** Id of the rule that it reports. */
  readonly rule: string;
  /** What a caller should do. */
  readonly advice: string;
  /** The cause is what many requests have in common, such as a template or a sender: the others would be refused, too. */
  readonly concernsAll?: true;
}

/** One operation, beside its record in `operations.ts`. */
export interface OperationReference {
  readonly summary: string;
  readonly description: string;
  readonly effect: Effect;
  /** What undoes a call that changes something: the operation with this id, the same one with the values before, or nothing. */
  readonly undo?: string;
  /** The fields whose items are the people that a call concerns. */
  readonly people?: readonly string[];
  /** A call reaches people only with one of these values; with another, it changes data. */
  readonly sendsIf?: Readonly<Record<string, string | number>>;
  /** The documented success status. */
  readonly status: number;
  /** Schemas of the parameters in the path and in the query, by name. The record says which is where. */
  readonly parameters?: Readonly<Record<string, JsonSchema>>;
  /** Required parameters in the query. All parameters in the path are required. */
  readonly requiredInQuery?: readonly string[];
  /** Name of the schema of its body, whose fields the method takes beside the parameters. */
  readonly body?: string;
  /** A request without a body is not valid. */
  readonly bodyRequired?: boolean;
  /** The body writes a record that can have the user's own fields, so fields that the schema does not know can be sent. */
  readonly ownFields?: true;
  /** The fields that a reader knows a returned record by. */
  readonly title?: readonly string[];
  /** What the method returns: `list` (also without pages), one `value`, or `nothing`. */
  readonly returns: 'list' | 'value' | 'nothing';
  /** Ids of its rules. */
  readonly rules?: readonly string[];
  readonly quota?: Quota;
  /** Documented failure status → meaning. */
  readonly statuses?: Readonly<Record<string, string>>;
  readonly errors?: Readonly<Record<string, ErrorCode>>;
  /** Parameters of an example call, in the form that the method takes. */
  readonly example: { readonly [name: string]: Json };
}

/** The part of an operation's reference that decides how a request is checked and answered. */
export interface OperationBehaviour
  extends Pick<OperationReference, 'status' | 'parameters' | 'body' | 'bodyRequired' | 'quota'> {
  readonly errors?: Readonly<Record<string, Pick<ErrorCode, 'rule'>>>;
}

/** The operations of one product, by operationId. */
export type OperationReferences = Readonly<Record<string, OperationReference>>;
