/**
 * Types of the generated files `reference.ts`, which contain data about operations that the client does not need at run time.
 */

/** Effect of a call. A call with the effect `send` reaches people or costs money. */
export type Effect = 'read' | 'write' | 'delete' | 'send';

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A JSON Schema (2020-12) with the keywords that the specs use. `$ref` points to `#/$defs/<name>`. */
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
  /** Keywords of this schema that the documents do not state. The service may accept other values. */
  readonly 'x-inferred-limits'?: readonly string[];
}

/** A documented rule. */
export interface Rule {
  /** Document and section, such as `1 §2`. */
  readonly source: string;
  readonly text: string;
  /** Operation that the rule applies to. Absent if the rule applies to the whole product. */
  readonly operation?: string;
  /** Numbers, dates and words from the text, keyed by name, for use by programs. */
  readonly values?: Readonly<Record<string, string | number>>;
}

/** A documented quota over a rolling window. */
export interface Quota {
  readonly requests: number;
  readonly seconds: number;
  /** Scope of the quota, such as the account or a website. */
  readonly per: string;
}

/** A documented error code. */
export interface ErrorCode {
  readonly meaning: string;
  /** ID of the violated rule. */
  readonly rule: string;
  /** Advice for the caller. */
  readonly advice: string;
  /** The cause, such as a template or a sender, affects many requests, so other requests would also be rejected. */
  readonly concernsAll?: true;
}

/** Parameters of a call that identify people. */
export interface People {
  /** Fields that identify people. If the field is a list, each item identifies one person; otherwise, the string does. */
  readonly fields: readonly string[];
  /** Fields that each identify a group of people. */
  readonly groups?: readonly PeopleGroup[];
}

/** A field that names a group of people, such as a mailing list. */
export interface PeopleGroup {
  readonly field: string;
  /** The people, such as `subscribers of the website`. */
  readonly who: string;
  /** Absent if no documented operation counts the people. */
  readonly count?: PeopleCount;
}

/** How to count the people in a group. */
export interface PeopleCount {
  /** ID of the operation. */
  readonly operation: string;
  /** Parameter of the operation that takes the value of the group's field. */
  readonly parameter: string;
  /** Field of the response that contains the number of people. */
  readonly result: string;
}

/** Data of one operation, in addition to its record in `operations.ts`. */
export interface OperationReference {
  readonly summary: string;
  readonly description: string;
  readonly effect: Effect;
  /**
   * How to undo a modifying call: the ID of another operation, `previous-value` (the same operation with the earlier values), or
   * `none`.
   */
  readonly undo?: string;
  /** People whom a call concerns. */
  readonly people?: People;
  /**
   * The operation that lists the people who unsubscribed from what this operation sends, and the field that identifies a person
   * in each item of that list.
   */
  readonly optOuts?: { readonly operation: string; readonly field: string };
  /** A call reaches people only if a field has the value given here. Otherwise, the call only changes data. */
  readonly sendsIf?: Readonly<Record<string, string | number>>;
  /**
   * Field that enables the service's test mode. If the field is `true`, the service checks a call, but sends nothing and
   * charges nothing.
   */
  readonly testMode?: string;
  /** The documented success status. */
  readonly status: number;
  /** Schemas of the parameters in the path and the query, by name. The record states their location. */
  readonly parameters?: Readonly<Record<string, JsonSchema>>;
  /** Required parameters in the query. All path parameters are required. */
  readonly requiredParameters?: readonly string[];
  /** Name of the schema of the body. The method takes the fields of the body in addition to the parameters. */
  readonly body?: string;
  /** Whether the body is required. */
  readonly bodyRequired?: boolean;
  /** The body describes a record that can have custom fields, so fields that are not in the schema can be sent. */
  readonly ownFields?: true;
  /** Fields that identify a returned record to a reader. */
  readonly title?: readonly string[];
  /** Result of the method: `list` (paged or not), one `value`, or `nothing`. */
  readonly returns: 'list' | 'value' | 'nothing';
  /** IDs of the rules that apply to the operation. */
  readonly rules?: readonly string[];
  readonly quota?: Quota;
  /** Maps each documented failure status to its meaning. */
  readonly statuses?: Readonly<Record<string, string>>;
  readonly errors?: Readonly<Record<string, ErrorCode>>;
  /** Parameters of an example call of the method. */
  readonly example: { readonly [name: string]: Json };
}

/** The part of an operation's reference that determines how a request is checked and which response is returned. */
export interface OperationBehaviour
  extends Pick<OperationReference, 'status' | 'parameters' | 'body' | 'bodyRequired' | 'quota'> {
  readonly errors?: Readonly<Record<string, Pick<ErrorCode, 'rule'>>>;
}

/** The operations of one product, by operationId. */
export type OperationReferences = Readonly<Record<string, OperationReference>>;
