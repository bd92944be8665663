import type { Encoding, Paging } from './operation.ts';
import type { Quota } from './operation-details.ts';

/** What a call does. `send` reaches people or costs money. */
export type Effect = 'read' | 'write' | 'delete' | 'send';

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A JSON Schema (2020-12) in the few keywords that the catalogue uses. `$ref` leads to `#/$defs/<name>`. */
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
}

/** A documented rule of behaviour. */
export interface CatalogueRule {
  readonly id: string;
  readonly text: string;
}

/** What the commands know about an operation. The generator writes it from the spec. */
export interface CatalogueRecord {
  /** Place in the client, without the product: `contacts.list`. */
  readonly name: string;
  readonly id: string;
  readonly method: string;
  /** Path template with the base path: `/crm/v1/contacts/{contactId}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly effect: Effect;
  readonly deprecated?: true;
  /** Parameters in the path and in the query, by name. */
  readonly inPath?: Readonly<Record<string, JsonSchema>>;
  readonly inQuery?: Readonly<Record<string, JsonSchema>>;
  /** Required parameters in the query. All parameters in the path are required. */
  readonly requiredInQuery?: readonly string[];
  /** Name of the schema of its body, whose fields the method takes beside the parameters. */
  readonly body?: string;
  /** The body writes a record that can have the user's own fields, so fields that the schema does not know can be sent. */
  readonly ownFields?: true;
  /** The one key that contains these fields on the wire. */
  readonly wrap?: string;
  /** Body fields that the client encodes: they are passed decoded. */
  readonly encode?: Readonly<Record<string, Encoding>>;
  readonly paging?: Paging;
  /** What the method returns: `list` (also without pages), one `value`, or `nothing`. */
  readonly returns: 'list' | 'value' | 'nothing';
  readonly rules?: readonly CatalogueRule[];
  readonly quota?: Quota;
  /** Documented failure status → meaning. */
  readonly statuses?: Readonly<Record<string, string>>;
  /** Documented error code → meaning. */
  readonly errors?: Readonly<Record<string, string>>;
  /** Parameters of an example call, in the form that the method takes. */
  readonly example: { readonly [name: string]: Json };
}

/** The operations of one product in the order of the spec, and what they share. */
export interface ProductCatalogue {
  /** Rules of the whole product. */
  readonly rules: readonly CatalogueRule[];
  /** Schemas by name, in the form that the methods take. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly methods: readonly CatalogueRecord[];
}
